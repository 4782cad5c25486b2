// Pages of a context that the supervisor takes to where it likes, and brings back (AEGIS, 3.2: what is outside of
// memory is not trusted). A page goes out encrypted and authenticated, under keys of its context and a version that was
// never used before, which its entry keeps: no other page, and no older one, comes back.
#include "identity.h"

// An entry of a page that is out: with its rights, its version in the place of the page, and without the bit that makes
// it one.
#define ENTRY_OUT 256UL
#define ENTRY_RIGHTS 254UL
#define VERSION_SHIFT 10
#define LAST_VERSION ((1UL << (64 - VERSION_SHIFT)) - 1)

#define HMAC_WORDS 8  // of a block of SHA-256
#define INNER 0x3636363636363636UL
#define OUTER 0x5c5c5c5c5c5c5c5cUL

bool is_out(uint64_t entry) { return !(entry & ENTRY_VALID) && entry & ENTRY_OUT; }

// False if there are no random words yet; they are not used then
static bool make_keys(page_keys *keys) {
  uint64_t *const words[] = {&keys->cipher[0], &keys->cipher[1], &keys->mac[0],
                             &keys->mac[1],    &keys->mac[2],    &keys->mac[3]};
  for (unsigned i = 0; i < ARRAY_LENGTH(words); i++)
    if (!(*words[i] = mmio_read64(CONTEXTS_BASE + CONTEXTS_RANDOM))) return false;
  return true;
}

static void crypt(context *context, uint64_t version, uint64_t page) {
  uint8_t counter[PAGE_COUNTER] = {0};
  memcpy(counter, &version, sizeof version);
  crypt_page(context->page_keys.cipher, counter, page);
}

static void hash_key(const page_keys *keys, uint64_t pad) {
  for (unsigned i = 0; i < HMAC_WORDS; i++) hash_word((i < ARRAY_LENGTH(keys->mac) ? keys->mac[i] : 0) ^ pad);
}

// HMAC-SHA256 over the version, the address, and the page as it is encrypted; false if memory fails
static bool authenticate(const page_keys *keys, uint64_t version, uint64_t address, uint64_t page, uint64_t *tag) {
  hash_key(keys, INNER);
  hash_word(version);
  hash_word(address);
  if (!hash_page(page)) {
    hash_abort();
    return false;
  }
  uint64_t inner[DIGEST_WORDS];
  if (!hash_end(0, 0, inner)) return false;
  hash_key(keys, OUTER);
  for (unsigned i = 0; i < DIGEST_WORDS; i++) hash_word(inner[i]);
  return hash_end(0, 0, tag);
}

// No other hart has anything of a page in its cache while it gets another owner.
static bool alone(bool (*change)(context *context, uint64_t page), context *context, uint64_t page) {
  stop_harts();
  flush_data_cache();
  const bool is_done = change(context, page);
  release_harts();
  return is_done;
}

static uint64_t *entry_of_own(context *context, uint64_t address) {
  if (address % TEE_PAGE || address < context->start || address >= context->end) return NULL;
  return entry_at(context, address);
}

bool is_page_out(context *context, uint64_t address) {
  const uint64_t *entry = entry_of_own(context, address & ~(TEE_PAGE - 1UL));
  return entry && is_out(*entry);
}

// What a call is about: where a page is in the program and in memory, and its tag
typedef struct {
  uint64_t address, page, tag[DIGEST_WORDS];
} paged;

// The hart is the context, here and below. What fails leaves the page as it was. An entry is read once.
static int64_t take_out(context *context, paged *out) {
  volatile uint64_t *entry = entry_of_own(context, out->address);
  const uint64_t before = entry ? *entry : 0, page = page_of(before);
  if (!(before & ENTRY_VALID) || context->version == LAST_VERSION) return TEE_INVALID;
  if (!has_data_page(context, page)) return TEE_MEMORY;
  if (!context->version && !make_keys(&context->page_keys)) return TEE_FULL;
  const uint64_t version = ++context->version;
  crypt(context, version, page);
  if (!authenticate(&context->page_keys, version, out->address, page, out->tag)) {
    crypt(context, version, page);
    return TEE_MEMORY;
  }
  *entry = version << VERSION_SHIFT | ENTRY_OUT | (before & ENTRY_RIGHTS);
  alone(release_page, context, page);
  return 0;
}

// The entry that the page has then
static int64_t check_and_decrypt(context *context, uint64_t *entry, const paged *in) {
  const uint64_t version = *entry >> VERSION_SHIFT;
  uint64_t tag[DIGEST_WORDS];
  if (!authenticate(&context->page_keys, version, in->address, in->page, tag)) return TEE_MEMORY;
  if (!is_same_digest(tag, in->tag)) return TEE_FORGED;
  crypt(context, version, in->page);
  *entry = entry_of(in->page, ENTRY_VALID | (*entry & ENTRY_RIGHTS));
  return 0;
}

static int64_t bring_in(context *context, paged *in) {
  volatile uint64_t *entry = entry_of_own(context, in->address);
  uint64_t now = entry ? *entry : 0;
  if (!is_out(now)) return TEE_INVALID;
  if (in->page % TEE_PAGE || !is_dram(in->page) || !alone(give_page, context, in->page)) return TEE_TAKEN;
  const int64_t error = check_and_decrypt(context, &now, in);
  if (!error)
    *entry = now;
  else
    // It is as it was
    alone(release_page, context, in->page);
  return error;
}

static int64_t error_of(const context *owner) {
  if (!owner) return TEE_INVALID;
  return owner->state == SUSPENDED ? 0 : TEE_STATE;
}

// Works on the context that has the page, which does not run, and is kept from running meanwhile.
static int64_t as_suspended(uint64_t permit, int64_t (*work)(context *context, paged *paged), paged *paged) {
  const uint64_t satp = READ_CSR(satp);
  enter_exclusive();
  context *owner = context_at(permit, paged->address);
  int64_t error = error_of(owner);
  if (!error) {
    become(owner, satp);
    error = work(owner, paged);
    become(NULL, satp);
  }
  leave_exclusive();
  return error;
}

static int64_t ask(uint64_t permit, uint64_t address) {
  enter_exclusive();
  const int64_t error = error_of(context_at(permit, address));
  leave_exclusive();
  return error;
}

// Where the tag goes is read, and written as it was, before anything else is done. A supervisor that takes it away then
// has lost the page.
int64_t page_out(uint64_t permit, uint64_t address, uint64_t to) {
  if (!to) return ask(permit, address);
  paged out = {.address = address};
  if (copy_in(out.tag, (const void *)to, sizeof out.tag, STATUS_MPRV) ||
      copy_out((void *)to, out.tag, sizeof out.tag, STATUS_MPRV))
    return TEE_UNMAPPED;
  const int64_t error = as_suspended(permit, take_out, &out);
  return !error && copy_out((void *)to, out.tag, sizeof out.tag, STATUS_MPRV) ? TEE_MEMORY : error;
}

int64_t page_in(uint64_t permit, uint64_t address, uint64_t page, uint64_t from) {
  paged in = {.address = address, .page = page};
  if (copy_in(in.tag, (const void *)from, sizeof in.tag, STATUS_MPRV)) return TEE_UNMAPPED;
  return as_suspended(permit, bring_in, &in);
}
