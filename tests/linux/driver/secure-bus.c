// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// The secure bus: what it counts is in the file `statistics` of its device. It has no interrupt: once a member has
// raised the alarm nothing passes any more, an interrupt's handler least of all.
#include <linux/mod_devicetable.h>
#include <linux/module.h>

#include "hauberk.h"

static const char *const counters[] = BUS_STAT_NAMES;

static ssize_t statistics_show(struct device *device, struct device_attribute *attribute, char *to) {
  void __iomem *registers = dev_get_drvdata(device);

  return hauberk_show_counters(to, 0, "bus", counters, ARRAY_SIZE(counters), registers + BUS_STATS);
}
static DEVICE_ATTR_RO(statistics);

static struct attribute *bus_attrs[] = {&dev_attr_statistics.attr, NULL};
ATTRIBUTE_GROUPS(bus);

static int probe(struct platform_device *device) {
  void __iomem *registers = hauberk_registers(device, BUS_ID_VALUE);

  if (IS_ERR(registers)) return PTR_ERR(registers);
  platform_set_drvdata(device, registers);
  dev_info(&device->dev, "secure bus, %llu members\n", BUS_GEOMETRY_MEMBERS(readq(registers + BUS_GEOMETRY)));
  return 0;
}

static const struct of_device_id bus_matches[] = {{.compatible = "hauberk,secure-bus"}, {}};
MODULE_DEVICE_TABLE(of, bus_matches);

struct platform_driver hauberk_secure_bus = {
    .probe = probe,
    .driver = {.name = "hauberk-secure-bus", .of_match_table = bus_matches, .dev_groups = bus_groups},
};
