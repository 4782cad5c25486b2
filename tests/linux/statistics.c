// Prints what the memory protector and the secure bus count, a line each: `engine0.hits 1234`. For Linux on the SoC, as
// root; says so where there is neither. Addresses are the default ones; others are named as statistics PROTECTOR BUS,
// in hexadecimal.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "registers.h"

#define REGISTERS_SIZE 0x1000

static const char *const engine_counters[] = PROTECTOR_STAT_NAMES;
static const char *const bus_counters[] = BUS_STAT_NAMES;

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t read_register(const volatile uint64_t *registers, uint64_t offset) { return registers[offset / 8]; }

static void print_all(const volatile uint64_t *registers, uint64_t offset, const char *prefix, const char *const *names,
                      size_t count) {
  for (size_t i = 0; i < count; i++)
    printf("%s.%s %" PRIu64 "\n", prefix, names[i], read_register(registers, offset + 8 * i));
}

// The registers of a device; none where there is no such device. What is there is in the device tree: to read where
// nothing answers would be a bus error.
static const volatile uint64_t *registers_of(const char *device, uint64_t id, int memory, uint64_t address) {
  char path[128];
  snprintf(path, sizeof path, "/proc/device-tree/soc/%s@%" PRIx64, device, address);
  if (access(path, F_OK) != 0) return NULL;
  const volatile uint64_t *found = mmap(NULL, REGISTERS_SIZE, PROT_READ, MAP_SHARED, memory, (off_t)address);
  if (found == MAP_FAILED || read_register(found, 0) != id) {
    fprintf(stderr, "statistics: what is at 0x%" PRIx64 " is no %s\n", address, device);
    exit(1);
  }
  return found;
}

int main(int argc, char **argv) {
  if (argc != 1 && argc != 3) {
    fprintf(stderr, "statistics: use it alone, or with the addresses of protector and bus\n");
    return 2;
  }
  const uint64_t protector_at = argc == 3 ? strtoull(argv[1], NULL, 16) : PROTECTOR_BASE;
  const uint64_t bus_at = argc == 3 ? strtoull(argv[2], NULL, 16) : BUS_BASE;
  const int memory = open("/dev/mem", O_RDONLY | O_SYNC);
  if (memory < 0) {
    fprintf(stderr, "statistics: /dev/mem: %s: run it as root, on a kernel with CONFIG_DEVMEM\n", strerror(errno));
    return 1;
  }
  const volatile uint64_t *protector = registers_of("memory-protector", PROTECTOR_ID_VALUE, memory, protector_at);
  const volatile uint64_t *bus = registers_of("secure-bus", BUS_ID_VALUE, memory, bus_at);
  if (protector) {
    const unsigned engines = PROTECTOR_GEOMETRY_ENGINES(read_register(protector, PROTECTOR_GEOMETRY));
    for (unsigned engine = 0; engine < engines; engine++) {
      char prefix[16];
      snprintf(prefix, sizeof prefix, "engine%u", engine);
      print_all(protector, PROTECTOR_STATS + PROTECTOR_STATS_STRIDE * engine, prefix, engine_counters,
                LENGTH(engine_counters));
    }
    printf("protector.alarm %d\n", (read_register(protector, PROTECTOR_STATUS) & PROTECTOR_STATUS_ALARM) != 0);
  }
  if (bus) {
    print_all(bus, BUS_STATS, "bus", bus_counters, LENGTH(bus_counters));
    printf("bus.alarm %d\n", (read_register(bus, BUS_STATUS) & BUS_STATUS_ALARM) != 0);
  }
  if (!protector && !bus) printf("protection none\n");
  return 0;
}
