// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0
// The memory protector: what it counts is in the file `statistics` of its device, the alarm in the file `alarm`. The
// alarm interrupts; it is logged and, with the parameter panic=1, ends the system. It is latched, so that one which
// came before the driver did is not lost. What halts the protector leaves no memory to run a driver in: such an alarm
// is seen from outside, not here.
#include <linux/interrupt.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>

#include "hauberk.h"

static bool panic_on_alarm;
module_param_named(panic, panic_on_alarm, bool, 0644);
MODULE_PARM_DESC(panic, "an alarm of the memory protector makes the kernel panic");

static const char *const counters[] = PROTECTOR_STAT_NAMES;
static const char *const causes[] = PROTECTOR_ALARM_CAUSE_NAMES;

static const char *cause_of(void __iomem *registers) {
  u64 cause = readq(registers + PROTECTOR_ALARM_CAUSE);

  return cause < ARRAY_SIZE(causes) ? causes[cause] : "unknown";
}

static ssize_t statistics_show(struct device *device, struct device_attribute *attribute, char *to) {
  void __iomem *registers = dev_get_drvdata(device);
  int engines = PROTECTOR_GEOMETRY_ENGINES(readq(registers + PROTECTOR_GEOMETRY));
  int engine, at = 0;

  for (engine = 0; engine < engines; engine++) {
    char prefix[16];

    snprintf(prefix, sizeof(prefix), "engine%d", engine);
    at = hauberk_show_counters(to, at, prefix, counters, ARRAY_SIZE(counters),
                               registers + PROTECTOR_STATS + PROTECTOR_STATS_STRIDE * engine);
  }
  return at;
}
static DEVICE_ATTR_RO(statistics);

static ssize_t alarm_show(struct device *device, struct device_attribute *attribute, char *to) {
  void __iomem *registers = dev_get_drvdata(device);

  if (!(readq(registers + PROTECTOR_STATUS) & PROTECTOR_STATUS_ALARM)) return sysfs_emit(to, "none\n");
  return sysfs_emit(to, "%s at 0x%llx\n", cause_of(registers), readq(registers + PROTECTOR_ALARM_ADDR));
}
static DEVICE_ATTR_RO(alarm);

static struct attribute *protector_attrs[] = {&dev_attr_statistics.attr, &dev_attr_alarm.attr, NULL};
ATTRIBUTE_GROUPS(protector);

/* The alarm stays until reset, and so would its interrupt. */
static irqreturn_t on_alarm(int interrupt, void *data) {
  struct device *device = data;
  void __iomem *registers = dev_get_drvdata(device);
  u64 address = readq(registers + PROTECTOR_ALARM_ADDR);

  writeq(0, registers + PROTECTOR_INTR_ENABLE);
  if (panic_on_alarm) panic("hauberk: alarm: %s at 0x%llx\n", cause_of(registers), address);
  dev_alert(device, "alarm: %s at 0x%llx\n", cause_of(registers), address);
  return IRQ_HANDLED;
}

static int probe(struct platform_device *device) {
  void __iomem *registers = hauberk_registers(device, PROTECTOR_ID_VALUE);
  int interrupt, error;

  if (IS_ERR(registers)) return PTR_ERR(registers);
  platform_set_drvdata(device, registers);
  interrupt = platform_get_irq(device, 0);
  if (interrupt < 0) return interrupt;
  error = devm_request_irq(&device->dev, interrupt, on_alarm, 0, "hauberk", &device->dev);
  if (error) return error;
  writeq(PROTECTOR_INTR_ENABLE_ALARM, registers + PROTECTOR_INTR_ENABLE);
  dev_info(&device->dev, "memory protector, %llu engines\n",
           PROTECTOR_GEOMETRY_ENGINES(readq(registers + PROTECTOR_GEOMETRY)));
  return 0;
}

static int remove(struct platform_device *device) {
  writeq(0, platform_get_drvdata(device) + PROTECTOR_INTR_ENABLE);
  return 0;
}

static const struct of_device_id protector_matches[] = {{.compatible = "hauberk,memory-protector"}, {}};
MODULE_DEVICE_TABLE(of, protector_matches);

struct platform_driver hauberk_memory_protector = {
    .probe = probe,
    .remove = remove,
    .driver = {.name = "hauberk-memory-protector", .of_match_table = protector_matches, .dev_groups = protector_groups},
};
