// Reads memory where nobody may: `trespass ADDRESS`, the physical address in hexadecimal, such as that of metadata.
#include "hauberk.h"
#include "system.h"

int tool_main(int count, char *words[]) {
  uint64_t address = 0;
  if (count != 2) {
    print("trespass: name an address\n");
    return 2;
  }
  for (const char *at = words[1]; *at; at++)
    address = 16 * address + (uint64_t)(*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
  const long memory = open_file("/dev/mem", READ_ONLY);
  const volatile uint64_t *page = map_page(memory, address & ~(uint64_t)(PAGE_SIZE - 1));
  if ((long)page < 0 && (long)page > -PAGE_SIZE) {
    print("trespass: the kernel gives nobody that memory\n");
    return 1;
  }
  print("trespass: found %lx\n", page[address % PAGE_SIZE / 8]);
  return 0;
}
