// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// Drivers of what Hauberk puts into an SoC; a machine that has none of it has none of these devices, and they stay
// idle.
#include <linux/module.h>

#include "hauberk.h"

static struct platform_driver *const drivers[] = {&hauberk_memory_protector, &hauberk_secure_bus,
                                                  &hauberk_instruction_decryption, &hauberk_secure_contexts};

void __iomem *hauberk_registers(struct platform_device *device, u64 id) {
  void __iomem *registers = devm_platform_ioremap_resource(device, 0);
  u64 found;

  if (IS_ERR(registers)) return registers;
  found = readq(registers);
  if (found == id) return registers;
  dev_err(&device->dev, "expected %016llx in the first register, and found %016llx\n", id, found);
  return IOMEM_ERR_PTR(-ENODEV);
}

int hauberk_show_counters(char *to, int at, const char *prefix, const char *const *names, int count,
                          void __iomem *counters) {
  int i;

  for (i = 0; i < count; i++) at += sysfs_emit_at(to, at, "%s.%s %llu\n", prefix, names[i], readq(counters + 8 * i));
  return at;
}

static int __init hauberk_init(void) { return platform_register_drivers(drivers, ARRAY_SIZE(drivers)); }
static void __exit hauberk_exit(void) { platform_unregister_drivers(drivers, ARRAY_SIZE(drivers)); }
module_init(hauberk_init);
module_exit(hauberk_exit);

MODULE_DESCRIPTION("Memory protector, secure bus, instruction decryption and secure contexts of Hauberk");
MODULE_LICENSE("GPL");
