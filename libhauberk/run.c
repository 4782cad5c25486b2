// A program's way into its context and back.
#include "hauberk.h"

int64_t hauberk_enter(const tee_program *program, uint64_t entry, const uint64_t *arguments, int64_t *result);

int64_t hauberk_run(const hauberk_program *program, const uint64_t arguments[6], int64_t *result) {
  return hauberk_enter(&program->program, program->program.start, arguments, result);
}

const char *hauberk_error(int64_t error) {
  switch (error) {
    case HAUBERK_NO_IMAGE:
      return "the image is no program that libhauberk's inside.ld laid out, or has private parts that hauberk-attest "
             "did not seal";
    case HAUBERK_NO_DRIVER:
      return "there is no /dev/hauberk-contexts: load hauberk.ko on a SoC with secure contexts";
    case HAUBERK_NO_MEMORY:
      return "the program's pages cannot be mapped: free its addresses or memory, raise the limit of locked memory, or "
             "mount /dev without noexec";
    case TEE_INVALID:
      return "the program is not laid out as enter_tee takes it";
    case TEE_UNMAPPED:
      return "a page of the program is not mapped, or not writable";
    case TEE_TAKEN:
      return "a page of the program is in a context already: run it once, then load it again";
    case TEE_FULL:
      return "all secure contexts are in use: try again when a program has ended";
    case TEE_FEW_TABLES:
      return "the program has too few pages for page tables";
    case TEE_NOT_ALLOWED:
      return "the program's pages are not the driver's: load it with hauberk_load";
    case TEE_MEMORY:
      return "memory failed while the program was hashed";
    default:
      return error ? "no such error" : "no error";
  }
}
