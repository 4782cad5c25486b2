// A program's way into memory.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "contexts.h"
#include "hauberk.h"

#define DRIVER "/dev/hauberk-contexts"
#define MOST_BYTES (16UL << 20)
// Of a segment in the file, beside ELF's flags: it is private; and encrypted, as hauberk-attest seals it
#define PF_PRIVATE 0x00100000
#define PF_SEALED 0x00200000

static uint64_t pages(uint64_t bytes) { return (bytes + TEE_PAGE - 1) / TEE_PAGE; }

static void add(tee_program *program, uint64_t kind, uint64_t pages) {
  if (!pages) return;
  program->segment[program->segments].kind = kind;
  program->segment[program->segments++].pages = pages;
}

static uint64_t kind_of(const Elf64_Phdr *load) {
  const bool is_code = load->p_flags & PF_X;
  if (load->p_flags & PF_PRIVATE) return is_code ? TEE_PRIVATE_CODE : TEE_PRIVATE_DATA;
  return is_code ? TEE_CODE : TEE_DATA;
}

// A segment of the file, behind those before
static bool add_load(hauberk_program *to, const Elf64_Phdr *load, size_t bytes) {
  tee_program *program = &to->program;
  if (load->p_offset > bytes || load->p_filesz > bytes - load->p_offset || load->p_filesz > load->p_memsz) return false;
  if (load->p_memsz > MOST_BYTES || load->p_vaddr % TEE_PAGE || program->segments + 3 > TEE_SEGMENTS) return false;
  if (load->p_flags & PF_PRIVATE && !(load->p_flags & PF_SEALED)) return false;
  if (!program->segments) program->start = load->p_vaddr;
  if (load->p_vaddr != program->start + to->bytes) return false;
  const uint64_t from_file = pages(load->p_filesz), all = pages(load->p_memsz);
  add(program, kind_of(load), from_file);
  add(program, TEE_ZERO, all - from_file);
  to->bytes += all * TEE_PAGE;
  return true;
}

// The root table, one for the GiB, one for each 2 MiB, and four for what is outside (docs/contexts.md)
static bool add_tables(hauberk_program *to) {
  const uint64_t tables = 2 + (to->bytes + TEE_ALIGNMENT - 1) / TEE_ALIGNMENT + 4;
  add(&to->program, TEE_TABLES, tables);
  to->bytes += tables * TEE_PAGE;
  return to->program.start % TEE_ALIGNMENT == 0 && tables <= TEE_MOST_TABLES;
}

static bool read_image(hauberk_program *to, const void *image, size_t bytes) {
  const Elf64_Ehdr *header = image;
  if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_machine != EM_RISCV || header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff % 8 ||
      header->e_phoff > bytes || header->e_phnum > (bytes - header->e_phoff) / sizeof(Elf64_Phdr))
    return false;
  const Elf64_Phdr *loads = (const Elf64_Phdr *)((const char *)image + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; i++)
    if (loads[i].p_type == PT_LOAD && loads[i].p_memsz && !add_load(to, &loads[i], bytes)) return false;
  return to->program.segments && header->e_entry == to->program.start && add_tables(to);
}

// What enters a context must be there.
static void touch(const hauberk_program *to) {
  volatile char *at = (volatile char *)to->program.start;
  for (uint64_t i = 0; i < to->bytes; i += TEE_PAGE) at[i] = 0;
}

static void copy(const void *image) {
  const Elf64_Ehdr *header = image;
  const Elf64_Phdr *loads = (const Elf64_Phdr *)((const char *)image + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; i++)
    if (loads[i].p_type == PT_LOAD && loads[i].p_memsz)
      memcpy((void *)loads[i].p_vaddr, (const char *)image + loads[i].p_offset, loads[i].p_filesz);
}

int hauberk_load(hauberk_program *program, const void *image, size_t bytes) {
  memset(program, 0, sizeof *program);
  if (!read_image(program, image, bytes)) return HAUBERK_NO_IMAGE;
  program->file = open(DRIVER, O_RDWR | O_CLOEXEC);
  if (program->file < 0) return HAUBERK_NO_DRIVER;
  void *at = (void *)program->program.start;
  if (mmap(at, program->bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_FIXED_NOREPLACE, program->file,
           0) != at) {
    close(program->file);
    return HAUBERK_NO_MEMORY;
  }
  touch(program);
  copy(image);
  return 0;
}

void hauberk_unload(const hauberk_program *program) {
  close(program->file);
  munmap((void *)program->program.start, program->bytes);
}
