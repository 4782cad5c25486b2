// Attacks on sealed code by whoever runs the core, ATTACK by number (docs/emu.md). Each prints `attack: ` and what came
// of it: `denied`, `no instruction`, `wrong`, `unharmed` where the attack itself did nothing, or `PLAINTEXT`. What runs
// as garbage may end in any trap, or never end.
#include "hauberk.h"
#include "sealed.h"

// As many as there are slots, one of which has no key: more notes than keys
#define NOTES 8
HAUBERK_SEALED_NOTES(NOTES)

#define RIGHT 0x5ea1ed00u
#define OTHER 0x07e2f00du
#define PAGE __attribute__((aligned(SEALED_PAGE)))
// For the checksum: what registers were read as, and which attack it was
static RESULTS uint64_t seen[2];

static HAUBERK_SEALED PAGE uint64_t secret_one(void) { return RIGHT; }
static HAUBERK_SEALED PAGE uint64_t secret_two(void) { return OTHER; }

// The same, as whoever has the program in plaintext, or has seen it run, knows it
static __attribute__((noipa)) uint64_t known_one(void) { return RIGHT; }

// Notes are in memory like any other, and can be written by who runs the core
extern sealed_note hauberk_notes[];

#define LI_A0_1_RET 0x80824505u

typedef uint64_t code(void);

#define CAUSE_ACCESS 1

// Calls what may be garbage. A trap there comes back here, with its cause plus one.
uint64_t call_recovering(code *function, uint64_t *cause);
__asm__(
    ".text\n"
    ".globl call_recovering\n"
    "call_recovering:\n"
    "  addi sp, sp, -32\n"
    "  sd ra, 0(sp)\n"
    "  sd s0, 8(sp)\n"
    "  sd a1, 16(sp)\n"
    "  sd zero, 0(a1)\n"
    "  csrr s0, mtvec\n"
    "  sd s0, 24(sp)\n"
    "  la t0, recovery_place\n"
    "  sd sp, 0(t0)\n"
    "  la t0, 1f\n"
    "  csrw mtvec, t0\n"
    "  jalr a0\n"
    "  j 2f\n"
    "  .balign 4\n"
    "1: la t0, recovery_place\n"
    "  ld sp, 0(t0)\n"
    "  ld a1, 16(sp)\n"
    "  csrr t0, mcause\n"
    "  addi t0, t0, 1\n"
    "  sd t0, 0(a1)\n"
    "2: ld t0, 24(sp)\n"
    "  csrw mtvec, t0\n"
    "  ld ra, 0(sp)\n"
    "  ld s0, 8(sp)\n"
    "  addi sp, sp, 32\n"
    "  ret\n"
    ".bss\n.balign 8\nrecovery_place: .dword 0\n.previous");

// What comes of calling it: the value and, plus one, the cause of a trap
static void try(const char *what, code *function, uint64_t plaintext) {
  uint64_t cause;
  const uint64_t value = call_recovering(function, &cause);
  const char *came = cause == 1 + CAUSE_ACCESS ? "denied"
                     : cause                   ? "no instruction"
                     : value == plaintext      ? "PLAINTEXT"
                     : value == RIGHT          ? "unharmed"
                                               : "wrong";
  print("attack: %s: %s\n", what, came);
}

static void fence_i(void) { __asm__ volatile("fence.i" ::: "memory"); }
static uint64_t get(unsigned offset) { return *(volatile uint64_t *)(DECRYPTION_BASE + (uintptr_t)offset); }
static void set(unsigned offset, uint64_t value) {
  *(volatile uint64_t *)(DECRYPTION_BASE + (uintptr_t)offset) = value;
}
static void say(const char *what, int error) { print("attack: %s: %s\n", what, unseal_error(error)); }

static void exchange(volatile uint64_t *one, volatile uint64_t *two) {
  for (unsigned i = 0; i < SEALED_PAGE / 8; i++) {
    const uint64_t kept = one[i];
    one[i] = two[i];
    two[i] = kept;
  }
  fence_i();
}

static void unsealed(void) {
  const int error = unseal();
  if (error) {
    say("unseal", error);
    exit_program(64 + (unsigned)error);
  }
  expect(secret_one() == RIGHT && secret_two() == OTHER, "sealed code runs before the attack");
  print("attack: sealed code runs\n");
}

static void attack(void) {
  static sealed_note note;
  memcpy(&note, &hauberk_notes[0], sizeof note);
  // Both are in one run of pages, in which the compiler may have either first
  const uint64_t page = (uintptr_t)secret_one, other = (uintptr_t)secret_two;
  const uint64_t index = (page - note.address) / SEALED_PAGE, other_index = 1 - index;
  uint64_t own[2] = {note.ancillary[0] + 256 * index, note.ancillary[1]};
  uint64_t others[2] = {note.ancillary[0] + 256 * other_index, note.ancillary[1]};
  switch (ATTACK) {
    case 1:  // ciphertext run as plaintext
      print("attack: sealed code is called\n");
      try("not unsealed", secret_one, RIGHT);
      break;
    case 2:  // a stale mapping: the entry is another page's now, and the cache was not flushed
      expect(unseal() == SEALED_OK && secret_one() == RIGHT, "sealed code runs before the attack");
      say("pages freed", map_sealed_page(index, 0, 0, own) | map_sealed_page(other_index, 0, 0, own));
      say("entry given to another page", map_sealed_page(index, other, 1, others));
      try("not flushed", secret_two, OTHER);
      fence_i();
      expect(secret_two() == OTHER, "sealed code runs after the flush");
      break;
    case 3:  // pages exchanged in memory
      unsealed();
      exchange((uint64_t *)page, (uint64_t *)other);
      try("pages exchanged", secret_one, OTHER);
      break;
    case 4:  // an instruction of the attacker's, written into a sealed page
      unsealed();
      *(volatile uint32_t *)page = LI_A0_1_RET;
      fence_i();
      try("page written", secret_one, 1);
      break;
    case 5:  // the slot of a page gets another key
      unsealed();
      expect(load_sealed_key(&note, 1) == SEALED_OK, "the key can be had again");
      fence_i();
      try("slot used again", secret_one, RIGHT);
      break;
    case 6:  // every address of the device is read
      unsealed();
      // The scratchpad is empty after a key was made
      for (unsigned offset = DECRYPTION_APPLICATION_0; offset < DECRYPTION_KEY; offset += 8) set(offset, ~0UL);
      set(DECRYPTION_ANCILLARY_LOW, ~0UL);
      for (unsigned offset = 0; offset < 0x1000; offset += 8) {
        const uint64_t value = get(offset);
        seen[0] |= value;
        if (value && offset != DECRYPTION_ID && offset != DECRYPTION_GEOMETRY)
          print("attack: 0x%x reads as %lx\n", offset, value);
      }
      print("attack: registers: read\n");
      break;
    case 7:  // a credential with another secret, check, or number of the key
      for (unsigned i = 0; i < 3; i++) {
        sealed_note other_note = note;
        other_note.secret[0] ^= i == 0;
        other_note.check[1] ^= i == 1;
        other_note.key_id ^= i == 2;
        say("another credential", load_sealed_key(&other_note, 1));
      }
      break;
    case 8:  // other ancillary data for a page
      unsealed();
      others[0] ^= 1UL << 40;
      map_sealed_page(other_index, 0, 0, others);
      say("page mapped", map_sealed_page(other_index, other, 1, others));
      fence_i();
      try("ancillary data changed", secret_two, OTHER);
      break;
    case 9: {  // commands that are refused, and change nothing
      unsealed();
      const uint64_t geometry = get(DECRYPTION_GEOMETRY);
      say("index out of range", map_sealed_page(DECRYPTION_GEOMETRY_PAGES(geometry), 0x1000, 1, own));
      say("slot out of range", map_sealed_page(3, 0x1000, DECRYPTION_GEOMETRY_KEY_SLOTS(geometry), own));
      say("page twice", map_sealed_page(3, page, 1, own));
      say("slot without a key", map_sealed_page(3, 0x1000, DECRYPTION_GEOMETRY_KEY_SLOTS(geometry) - 1, own));
      expect(DECRYPTION_STATUS_STALE(get(DECRYPTION_STATUS)) == 0, "what was refused needs no flush");
      expect(secret_one() == RIGHT && secret_two() == OTHER, "sealed code runs after what was refused");
      break;
    }
    case 10:  // one instruction made another, in what was learned of it
      unsealed();
      *(volatile uint32_t *)page ^= *(volatile uint32_t *)(uintptr_t)known_one ^ LI_A0_1_RET;
      fence_i();
      try("instruction exchanged", secret_one, 1);
      break;
    case 11: {  // a note with a damaged bit, in each of its bytes
      unsigned refused = 0;
      for (unsigned i = 0; i < sizeof note; i++) {
        ((uint8_t *)hauberk_notes)[i] ^= (uint8_t)(1 << i % 8);
        refused += unseal() == SEALED_BAD_NOTE;
        memcpy(&hauberk_notes[0], &note, sizeof note);
      }
      print("attack: damaged notes: %lu of %lu refused\n", (uint64_t)refused, (uint64_t)sizeof note);
      try("not unsealed", secret_one, RIGHT);
      break;
    }
    case 12: {  // notes that ask for more than there is
      unsealed();
      static sealed_note room;
      memcpy(&room, &hauberk_notes[1], sizeof room);
      hauberk_notes[0].pages = DECRYPTION_GEOMETRY_PAGES(get(DECRYPTION_GEOMETRY)) + 1;
      hauberk_notes[0].checksum = sealed_note_checksum(&hauberk_notes[0]);
      say("more pages than the table has", unseal());
      for (unsigned i = 0; i < NOTES; i++) memcpy(&hauberk_notes[i], &note, sizeof note);
      say("more notes than there are keys", unseal());
      expect(secret_one() == RIGHT && secret_two() == OTHER, "sealed code runs after what was refused");
      // What is refused when some of it was done is undone
      for (unsigned i = 2; i < NOTES; i++) memcpy(&hauberk_notes[i], &room, sizeof room);
      say("pages in two notes", unseal());
      try("not unsealed", secret_one, RIGHT);
      break;
    }
  }
}

int main(void) {
  kernel_begin();
  attack();
  kernel_end();
  seen[1] = ATTACK;
  return 0;
}
