/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0 */
/* What the drivers of the memory protector, the secure bus, instruction decryption and secure contexts share. */
#ifndef HAUBERK_DRIVER_H
#define HAUBERK_DRIVER_H

#include <linux/io.h>
#include <linux/platform_device.h>
#include <linux/sysfs.h>

#include "registers.h"

extern struct platform_driver hauberk_memory_protector, hauberk_secure_bus, hauberk_instruction_decryption,
    hauberk_secure_contexts;

/* The registers of a device, if it is what the device tree says; else an error. */
void __iomem *hauberk_registers(struct platform_device *device, u64 id);

/* Appends `PREFIX.NAME VALUE` for each of so many counters that lie behind each other. */
int hauberk_show_counters(char *to, int at, const char *prefix, const char *const *names, int count,
                          void __iomem *counters);

#endif
