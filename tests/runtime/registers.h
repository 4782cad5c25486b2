// The registers of the memory protector and of the secure bus, as far as programs read or write them: offsets from the
// device's base, bits. hauberk.tilelink.ProtectorRegisters and SecureBusRegisters have them all, docs/soc.md explains
// them. For programs on the bare SoC, under Linux and in Chipyard alike, so it includes nothing.
#ifndef HAUBERK_REGISTERS_H
#define HAUBERK_REGISTERS_H

#define PROTECTOR_BASE 0x10010000
#define PROTECTOR_ID 0x00
#define PROTECTOR_ID_VALUE 0x4861756265726b31UL  // "Hauberk1"
#define PROTECTOR_GEOMETRY 0x08
#define PROTECTOR_ENGINES(geometry) ((geometry)&0xff)
#define PROTECTOR_COMMAND 0x10
#define PROTECTOR_FLUSH_COMMAND (1 << 4)
#define PROTECTOR_CHECK_COMMAND (1 << 5)
#define PROTECTOR_STATUS 0x18
#define PROTECTOR_ARMED_AND_LOCKED 0x18
#define PROTECTOR_FLUSH_BUSY (1 << 7)
#define PROTECTOR_ALARM (1 << 8)
#define PROTECTOR_CHECK_BUSY (1 << 12)
#define PROTECTOR_ALARM_CAUSE 0x40
#define PROTECTOR_ALARM_ADDRESS 0x48
#define PROTECTOR_INTERRUPT_ENABLE 0x50
#define PROTECTOR_STATISTICS 0x100
#define PROTECTOR_STATISTICS_STRIDE 0x80  // from engine to engine
#define STATISTICS_AES_BLOCKS 0x10
#define STATISTICS_DATA_READS 0x18
#define STATISTICS_DATA_WRITES 0x20

#define BUS_BASE 0x10030000
#define BUS_ID 0x00
#define BUS_ID_VALUE 0x4861756265726b32UL  // "Hauberk2"
#define BUS_GEOMETRY 0x08
#define BUS_STATUS 0x10
#define BUS_OPENED (1 << 0)
#define BUS_ALARM (1 << 2)
#define BUS_STATISTICS 0x80
#define STATISTICS_DATA_BEATS 0x08
#define STATISTICS_AUTHENTICATIONS 0x10

#endif
