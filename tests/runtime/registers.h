// Registers, statistics and alarm causes. Written by scripts/generate from the register maps in src/main/scala: do not
// edit. For programs, boot ROM, Linux driver and simulator alike, so it includes nothing. docs/soc.md has tables.
//
// A field of one bit is a mask, any other takes its value out of the register. LIST_NAMES initializes an array of
// names, LIST_EACH(X) expands to X(constant, number, name, meaning) for each number, and DEVICE_RECORDED(X) to
// X(field, object, key) for each counter of a run record.
// clang-format off
#ifndef HAUBERK_REGISTERS_H
#define HAUBERK_REGISTERS_H

// Of the memory protector
#define PROTECTOR_BASE 0x10010000
#define PROTECTOR_ID 0x00  // "Hauberk1"
#define PROTECTOR_ID_VALUE 0x4861756265726b31UL
#define PROTECTOR_GEOMETRY 0x08  // parameters of the hardware
#define PROTECTOR_GEOMETRY_ENGINES(value) ((value) & 0xff)  // number of engines
#define PROTECTOR_GEOMETRY_BLOCK_BITS(value) ((value) >> 8 & 0xff)  // log2 of a block's bytes
#define PROTECTOR_GEOMETRY_COUNTER_BITS(value) ((value) >> 16 & 0xff)  // bits of a counter
#define PROTECTOR_GEOMETRY_MODE(value) ((value) >> 24 & 0xff)  // encryption
#define PROTECTOR_GEOMETRY_MODE_ONE_TIME_PAD 1
#define PROTECTOR_GEOMETRY_MODE_DIRECT_CBC 2
#define PROTECTOR_GEOMETRY_MODE_XTS 3
#define PROTECTOR_GEOMETRY_MODE_ONE_TIME_PAD_OR_XTS 4
#define PROTECTOR_GEOMETRY_INTEGRITY(value) ((value) >> 32 & 0xff)  // integrity
#define PROTECTOR_GEOMETRY_INTEGRITY_NONE 0
#define PROTECTOR_GEOMETRY_INTEGRITY_BLOCK_TAGS 1
#define PROTECTOR_GEOMETRY_INTEGRITY_COUNTER_TREE 2
#define PROTECTOR_GEOMETRY_INTEGRITY_HASH_TREE 3
#define PROTECTOR_GEOMETRY_INTEGRITY_LOG_HASH 4
#define PROTECTOR_GEOMETRY_INTEGRITY_NAMES {"none", "block tags", "counter tree", "hash tree", "log hash"}
#define PROTECTOR_GEOMETRY_INTEGRITY_EACH(X) \
  X(NONE, 0, "none", "") \
  X(BLOCK_TAGS, 1, "block tags", "") \
  X(COUNTER_TREE, 2, "counter tree", "") \
  X(HASH_TREE, 3, "hash tree", "") \
  X(LOG_HASH, 4, "log hash", "")
#define PROTECTOR_GEOMETRY_SPECULATIVE(value) ((value) >> 40 & 0x01)  // data are used before they are verified
#define PROTECTOR_CMD 0x10  // commands, a bit each
#define PROTECTOR_CMD_UNWRAP 0x01  // unwrap the wrapped key into the static slot
#define PROTECTOR_CMD_DYNAMIC_KEY 0x02  // make the dynamic key
#define PROTECTOR_CMD_ARM 0x04  // start serving memory accesses
#define PROTECTOR_CMD_LOCK 0x08  // take no more keys
#define PROTECTOR_CMD_FLUSH 0x10  // write metadata back to memory
#define PROTECTOR_CMD_CHECK 0x20  // verify all that was read until now (speculative schemes)
#define PROTECTOR_STATUS 0x18  // state
#define PROTECTOR_STATUS_INITIALIZED 0x01  // engines initialized and regions known
#define PROTECTOR_STATUS_STATIC_KEY 0x02  // static key usable
#define PROTECTOR_STATUS_DYNAMIC_KEY 0x04  // dynamic key usable, and the second context's key if there is one
#define PROTECTOR_STATUS_ARMED 0x08  // armed
#define PROTECTOR_STATUS_LOCKED 0x10  // locked
#define PROTECTOR_STATUS_UNWRAP_FAILED 0x20  // the last unwrapping failed
#define PROTECTOR_STATUS_UNWRAP_BUSY 0x40  // unwrapping
#define PROTECTOR_STATUS_FLUSH_BUSY 0x80  // writing metadata back
#define PROTECTOR_STATUS_ALARM 0x100  // alarm
#define PROTECTOR_STATUS_HALTED 0x200  // halted
#define PROTECTOR_STATUS_UNVERIFIED 0x400  // unverified data are in use
#define PROTECTOR_STATUS_REKEYING 0x800  // memory is being re-encrypted under a new key
#define PROTECTOR_STATUS_CHECK_BUSY 0x1000  // a check is under way
#define PROTECTOR_STATUS_ENTROPY_FAILED 0x2000  // the source of keys failed a health test; it yields none until reset
#define PROTECTOR_WRAPPED_KEY_0 0x20  // word 0 of the wrapped static key; absent if that is random
#define PROTECTOR_WRAPPED_KEY_1 0x28  // word 1 of the wrapped static key; absent if that is random
#define PROTECTOR_WRAPPED_KEY_2 0x30  // word 2 of the wrapped static key; absent if that is random
#define PROTECTOR_ALARM_CAUSE 0x40  // cause of the first alarm, or of the first that halted
#define PROTECTOR_ALARM_CAUSE_NONE 0
#define PROTECTOR_ALARM_CAUSE_NOT_ARMED 1
#define PROTECTOR_ALARM_CAUSE_OUTSIDE_THE_DATA 2
#define PROTECTOR_ALARM_CAUSE_COUNTER_OVERFLOW 3
#define PROTECTOR_ALARM_CAUSE_METADATA_ERROR 4
#define PROTECTOR_ALARM_CAUSE_BLOCK_MISMATCH 5
#define PROTECTOR_ALARM_CAUSE_METADATA_MISMATCH 6
#define PROTECTOR_ALARM_CAUSE_LOG_MISMATCH 7
#define PROTECTOR_ALARM_CAUSE_LATE_VERDICT 8
#define PROTECTOR_ALARM_CAUSE_CHIP_FAULT 9
#define PROTECTOR_ALARM_CAUSE_NAMES {"none", "not armed", "outside the data", "counter overflow", "metadata error", "block mismatch", "metadata mismatch", "log mismatch", "late verdict", "chip fault"}
#define PROTECTOR_ALARM_CAUSE_EACH(X) \
  X(NONE, 0, "none", "no alarm") \
  X(NOT_ARMED, 1, "not armed", "access before arming, which needs initialized engines and whole keys") \
  X(OUTSIDE_THE_DATA, 2, "outside the data", "access outside the data region, such as to metadata") \
  X(COUNTER_OVERFLOW, 3, "counter overflow", "no fresh counter is left under this key") \
  X(METADATA_ERROR, 4, "metadata error", "memory denied an access to metadata or a write that no client waits for, or such a write lost its key") \
  X(BLOCK_MISMATCH, 5, "block mismatch", "a block is not the one last written") \
  X(METADATA_MISMATCH, 6, "metadata mismatch", "a line of metadata is not the one last written") \
  X(LOG_MISMATCH, 7, "log mismatch", "the log does not add up: some block was not the one last written") \
  X(LATE_VERDICT, 8, "late verdict", "memory kept a verdict on what was in use from coming for longer than the verdict timeout") \
  X(CHIP_FAULT, 9, "chip fault", "state on the chip changed by itself (WithFaultChecks)")
#define PROTECTOR_ALARM_ADDR 0x48  // bus address of the access that raised it
#define PROTECTOR_INTR_ENABLE 0x50  // interrupts
#define PROTECTOR_INTR_ENABLE_ALARM 0x01  // alarms interrupt
#define PROTECTOR_IMAGE_BLOCKS 0x58  // blocks of the encrypted image in each engine's bank; ignored once armed or locked
#define PROTECTOR_STATS 0x100
#define PROTECTOR_STATS_STRIDE 0x100  // from engine to engine
#define PROTECTOR_STAT_HITS 0x00  // counter look-ups that hit in the counter cache
#define PROTECTOR_STAT_MISSES 0x08  // counter look-ups that missed, once per block access
#define PROTECTOR_STAT_AES_BLOCKS 0x10  // AES blocks started
#define PROTECTOR_STAT_DATA_READS 0x18  // data transfers read from memory
#define PROTECTOR_STAT_DATA_WRITES 0x20  // data transfers written to memory
#define PROTECTOR_STAT_METADATA_READS 0x28  // metadata transfers read from memory
#define PROTECTOR_STAT_METADATA_WRITES 0x30  // metadata transfers written to memory
#define PROTECTOR_STAT_STALL_CYCLES 0x38  // cycles in which a client request waited
#define PROTECTOR_STAT_PARTIAL_WRITES 0x40  // partial writes, each a read-modify-write
#define PROTECTOR_STAT_TAG_HITS 0x48  // tag or log-version lookups that hit
#define PROTECTOR_STAT_TAG_MISSES 0x50  // tag or log-version lookups that missed
#define PROTECTOR_STAT_NODE_HITS 0x58  // tree-node look-ups that hit
#define PROTECTOR_STAT_NODE_MISSES 0x60  // tree-node look-ups that missed
#define PROTECTOR_STAT_VERIFIED 0x68  // blocks verified
#define PROTECTOR_STAT_REFRESHED 0x70  // blocks re-encrypted in the background
#define PROTECTOR_STAT_RIGHT_PADS 0x78  // reads whose counter was the expected one
#define PROTECTOR_STAT_WRONG_PADS 0x80  // reads whose counter was another than expected
#define PROTECTOR_STAT_STEERED_WRITES 0x88  // writes under a hinted counter
#define PROTECTOR_STAT_IGNORED_HINTS 0x90  // hints of ids or registers that do not exist
#define PROTECTOR_STAT_JOINED_WRITES 0x98  // writes that joined a write of their block before it left
#define PROTECTOR_STAT_FORWARDED_READS 0xa0  // reads that got their bytes from a write in flight
#define PROTECTOR_STAT_NAMES {"hits", "misses", "aes_blocks", "data_reads", "data_writes", "metadata_reads", "metadata_writes", "stall_cycles", "partial_writes", "tag_hits", "tag_misses", "node_hits", "node_misses", "verified", "refreshed", "right_pads", "wrong_pads", "steered_writes", "ignored_hints", "joined_writes", "forwarded_reads"}
#define PROTECTOR_RECORDED(X) \
  X(hits, counter_cache, hits) \
  X(misses, counter_cache, misses) \
  X(pads, protector, pads) \
  X(partialWrites, protector, partial_writes) \
  X(stallCycles, protector, stall_cycles) \
  X(tagHits, protector, tag_hits) \
  X(tagMisses, protector, tag_misses) \
  X(nodeHits, protector, node_hits) \
  X(nodeMisses, protector, node_misses) \
  X(verified, protector, verified) \
  X(reencrypted, protector, refreshed) \
  X(rightPads, protector, right_pads) \
  X(wrongPads, protector, wrong_pads) \
  X(steeredWrites, protector, steered_writes) \
  X(ignoredHints, protector, ignored_hints) \
  X(joinedWrites, protector, joined_writes) \
  X(forwardedReads, protector, forwarded_reads)

// Of the secure bus
#define BUS_BASE 0x10030000
#define BUS_ID 0x00  // "Hauberk2"
#define BUS_ID_VALUE 0x4861756265726b32UL
#define BUS_GEOMETRY 0x08  // parameters of the hardware
#define BUS_GEOMETRY_MEMBERS(value) ((value) & 0xff)  // members: the home node and the tiles' edges
#define BUS_GEOMETRY_LINE_BITS(value) ((value) >> 8 & 0xff)  // log2 of a line's bytes
#define BUS_GEOMETRY_RATIO(value) ((value) >> 16 & 0xff)  // cycles of a bus cycle
#define BUS_GEOMETRY_WIDTH_BITS(value) ((value) >> 24 & 0xff)  // log2 of the data lines
#define BUS_GEOMETRY_GROUPS(value) ((value) >> 32 & 0xff)  // groups, 0 in the clear
#define BUS_GEOMETRY_MASKS(value) ((value) >> 40 & 0xff)  // masks, 0 in the clear
#define BUS_GEOMETRY_PAGE_RANGES(value) ((value) >> 48 & 0xff)  // entries of the table of pages' groups, 0 with one group
#define BUS_STATUS 0x10  // state
#define BUS_STATUS_OPENED 0x01  // group 0 was opened
#define BUS_STATUS_KEY_BUSY 0x02  // a key is being unwrapped
#define BUS_STATUS_ALARM 0x04  // alarm
#define BUS_ALARM 0x18  // the first alarm
#define BUS_ALARM_CAUSE(value) ((value) & 0xff)  // cause, as in a member's alarm
#define BUS_ALARM_PID(value) ((value) >> 8 & 0xff)  // PID of the member that raised it
#define BUS_CMD 0x20  // command to all members at once
#define BUS_CMD_MEMBERS(value) ((value) & 0xffffffff)  // members of the group, a bit for each PID
#define BUS_CMD_GROUP(value) ((value) >> 32 & 0xff)  // group
#define BUS_CMD_OPERATION(value) ((value) >> 40 & 0xff)  // operation
#define BUS_CMD_OPERATION_ALLOCATE 0
#define BUS_CMD_OPERATION_OPEN 1
#define BUS_CMD_OPERATION_RELEASE 2
#define BUS_CMD_OPERATION_SWAP_OUT 3
#define BUS_CMD_OPERATION_NAMES {"allocate", "open", "release", "swap out"}
#define BUS_CMD_OPERATION_EACH(X) \
  X(ALLOCATE, 0, "allocate", "gives the entry to a group of these members") \
  X(OPEN, 1, "open", "opens the group by a set-up among its members") \
  X(RELEASE, 2, "release", "ends the group and erases its key") \
  X(SWAP_OUT, 3, "swap out", "ends the group; its encrypted context leaves")
#define BUS_INTERVAL 0x28  // transfers between authentications, of groups allocated from now on
#define BUS_WRAPPED_KEY_0 0x30  // word 0 of a group's key, wrapped under a member's device key
#define BUS_WRAPPED_KEY_1 0x38  // word 1 of a group's key, wrapped under a member's device key
#define BUS_WRAPPED_KEY_2 0x40  // word 2 of a group's key, wrapped under a member's device key
#define BUS_LOAD_KEY 0x48  // loads the wrapped key
#define BUS_LOAD_KEY_GROUP(value) ((value) & 0xff)  // group
#define BUS_LOAD_KEY_PID(value) ((value) >> 8 & 0xff)  // PID of the member
#define BUS_STATS 0x80
#define BUS_STAT_BEATS 0x00  // beats of transfers
#define BUS_STAT_DATA_BEATS 0x08  // beats of transfers with data
#define BUS_STAT_AUTHENTICATIONS 0x10  // MACs shown
#define BUS_STAT_STALLS 0x18  // bus cycles in which a member waited for masks, MAC or room, summed over the members
#define BUS_STAT_USED 0x20  // bus cycles in which anything passed
#define BUS_PAGES 0x100
#define BUS_PAGES_STRIDE 0x08  // from entry to entry
#define BUS_PAGE_RANGE 0x00  // the group of these pages, accepted if the home node agreed on it; pages without an entry are of group 0, the first entry counts
#define BUS_PAGE_RANGE_GROUP(value) ((value) & 0xff)  // group
#define BUS_PAGE_RANGE_SIZE(value) ((value) >> 8 & 0xff)  // log2 of the range's bytes, 12 to 56; 0: no page
#define BUS_PAGE_RANGE_FIRST(value) ((value) >> 16 & 0xfffffffffff)  // its address / 4096, a multiple of its size
#define BUS_MEMBERS 0x400
#define BUS_MEMBERS_STRIDE 0x40  // from member to member
#define BUS_MEMBER_ALARM 0x00  // the member's alarm
#define BUS_MEMBER_ALARM_NONE 0
#define BUS_MEMBER_ALARM_OWN_PID 1
#define BUS_MEMBER_ALARM_MAC_MISMATCH 2
#define BUS_MEMBER_ALARM_OUT_OF_TURN 3
#define BUS_MEMBER_ALARM_SILENT 4
#define BUS_MEMBER_ALARM_OVERRUN 5
#define BUS_MEMBER_ALARM_OTHER 6
#define BUS_MEMBER_ALARM_COLLISION 7
#define BUS_MEMBER_ALARM_NO_PACKAGE_KEY 8
#define BUS_MEMBER_ALARM_COUNTER_EXHAUSTED 9
#define BUS_MEMBER_ALARM_MALFORMED_DATA 10
#define BUS_MEMBER_ALARM_NAMES {"none", "own PID", "MAC mismatch", "out of turn", "silent", "overrun", "other", "collision", "no package key", "counter exhausted", "malformed data"}
#define BUS_MEMBER_ALARM_EACH(X) \
  X(NONE, 0, "none", "no alarm") \
  X(OWN_PID, 1, "own PID", "it received a message with its own PID") \
  X(MAC_MISMATCH, 2, "MAC mismatch", "a MAC on the bus is not the one it computed") \
  X(OUT_OF_TURN, 3, "out of turn", "a MAC came from a member whose turn it was not") \
  X(SILENT, 4, "silent", "no valid authentication came in time, or no share of a set-up that has begun") \
  X(OVERRUN, 5, "overrun", "a beat passed that it had not accepted") \
  X(OTHER, 6, "other", "another member raised it") \
  X(COLLISION, 7, "collision", "its own beat was granted while another's beat was on the bus") \
  X(NO_PACKAGE_KEY, 8, "no package key", "its tile encrypts for memory and cannot unwrap the image's key") \
  X(COUNTER_EXHAUSTED, 9, "counter exhausted", "a block's counter is used up and its tile must encrypt the block") \
  X(MALFORMED_DATA, 10, "malformed data", "a message's data are not what its command says")
#define BUS_MEMBER_REFUSALS 0x08  // why the member refused
#define BUS_MEMBER_REFUSALS_CMD(value) ((value) & 0xff)  // the last command
#define BUS_MEMBER_REFUSALS_CMD_NONE 0
#define BUS_MEMBER_REFUSALS_CMD_OCCUPIED 1
#define BUS_MEMBER_REFUSALS_CMD_FREE 2
#define BUS_MEMBER_REFUSALS_CMD_MEMBERS 3
#define BUS_MEMBER_REFUSALS_CMD_INTERVAL 4
#define BUS_MEMBER_REFUSALS_CMD_NO_KEY 5
#define BUS_MEMBER_REFUSALS_CMD_OPEN 6
#define BUS_MEMBER_REFUSALS_CMD_UNKNOWN 7
#define BUS_MEMBER_REFUSALS_CMD_BUSY 8
#define BUS_MEMBER_REFUSALS_CMD_CONTEXT 9
#define BUS_MEMBER_REFUSALS_CMD_NAMES {"none", "occupied", "free", "members", "interval", "no key", "open", "unknown", "busy", "context"}
#define BUS_MEMBER_REFUSALS_CMD_EACH(X) \
  X(NONE, 0, "none", "not refused") \
  X(OCCUPIED, 1, "occupied", "the entry is in use") \
  X(FREE, 2, "free", "the entry is not in use") \
  X(MEMBERS, 3, "members", "a group needs two members, all of which exist") \
  X(INTERVAL, 4, "interval", "an interval of zero") \
  X(NO_KEY, 5, "no key", "this member has not got the whole key") \
  X(OPEN, 6, "open", "the group is open: its key cannot be exchanged") \
  X(UNKNOWN, 7, "unknown", "there is no such entry") \
  X(BUSY, 8, "busy", "the group is in use, or another one is being swapped: ask again") \
  X(CONTEXT, 9, "context", "not a context that this member swapped out since reset")
#define BUS_MEMBER_REFUSALS_KEY(value) ((value) >> 8 & 0xff)  // the last key, as above
#define BUS_MEMBER_REFUSALS_CONTEXT(value) ((value) >> 16 & 0xff)  // the last context, as above
#define BUS_MEMBER_REFUSALS_UNWRAP_FAILED 0x1000000  // the last key could not be unwrapped
#define BUS_MEMBER_AGREED 0x10  // groups in which data may pass, a bit each
#define BUS_MEMBER_CONTEXT_OUT 0x20  // a word of the context that leaves, read once
#define BUS_MEMBER_CONTEXT_OUT_READY 0x28  // state of the word
#define BUS_MEMBER_CONTEXT_OUT_READY_VALID 0x01  // there is a word
#define BUS_MEMBER_CONTEXT_IN 0x30  // a word of a context that comes back
#define BUS_STAT_NAMES {"beats", "data_beats", "authentications", "stalls", "used"}
#define BUS_RECORDED(X) \
  X(used, bus, used) \
  X(beats, bus, beats) \
  X(dataBeats, bus, data_beats) \
  X(authentications, bus, authentications) \
  X(stalls, bus, stalls)

// Of instruction decryption
#define DECRYPTION_BASE 0x10040000
#define DECRYPTION_ID 0x00  // "Hauberk3"
#define DECRYPTION_ID_VALUE 0x4861756265726b33UL
#define DECRYPTION_GEOMETRY 0x08  // parameters of the hardware
#define DECRYPTION_GEOMETRY_PAGES(value) ((value) & 0xffff)  // entries of the page table
#define DECRYPTION_GEOMETRY_KEY_SLOTS(value) ((value) >> 16 & 0xffff)  // key slots; slot 0 has no key
#define DECRYPTION_GEOMETRY_CACHES(value) ((value) >> 32 & 0xff)  // instruction caches
#define DECRYPTION_GEOMETRY_MODE(value) ((value) >> 40 & 0xff)  // mode
#define DECRYPTION_GEOMETRY_MODE_COUNTER 1
#define DECRYPTION_GEOMETRY_MODE_DIRECT 2
#define DECRYPTION_PAGE 0x10  // address of a page
#define DECRYPTION_SLOT 0x18  // slot of its key, 0 for none
#define DECRYPTION_ANCILLARY_LOW 0x20  // its ancillary data, less significant word
#define DECRYPTION_ANCILLARY_HIGH 0x28  // its ancillary data, more significant word
#define DECRYPTION_INDEX 0x30  // entry of the page table: enters the four above for all tiles at once, or not at all
#define DECRYPTION_STATUS 0x38  // state of the page table
#define DECRYPTION_STATUS_MAPPING_ERROR(value) ((value) & 0x0f)  // error of the last mapping
#define DECRYPTION_STATUS_MAPPING_ERROR_OK 0
#define DECRYPTION_STATUS_MAPPING_ERROR_BAD_INDEX 1
#define DECRYPTION_STATUS_MAPPING_ERROR_BAD_SLOT 2
#define DECRYPTION_STATUS_MAPPING_ERROR_DUPLICATE_PAGE 3
#define DECRYPTION_STATUS_MAPPING_ERROR_NO_KEY 4
#define DECRYPTION_STATUS_MAPPING_ERROR_BAD_APPLICATION 5
#define DECRYPTION_STATUS_MAPPING_ERROR_BAD_TOKEN 6
#define DECRYPTION_STATUS_MAPPING_ERROR_NO_TOKEN 7
#define DECRYPTION_STATUS_MAPPING_ERROR_NO_PROCESSOR_SECRET 8
#define DECRYPTION_STATUS_MAPPING_ERROR_BAD_PAGE 9
#define DECRYPTION_STATUS_MAPPING_ERROR_NAMES {"ok", "bad index", "bad slot", "duplicate page", "no key", "bad application", "bad token", "no token", "no processor secret", "bad page"}
#define DECRYPTION_STATUS_MAPPING_ERROR_EACH(X) \
  X(OK, 0, "ok", "none") \
  X(BAD_INDEX, 1, "bad index", "the table of pages has no such entry") \
  X(BAD_SLOT, 2, "bad slot", "there is no such slot for a key") \
  X(DUPLICATE_PAGE, 3, "duplicate page", "the page is mapped already") \
  X(NO_KEY, 4, "no key", "the slot has no key") \
  X(BAD_APPLICATION, 5, "bad application", "the program was not sealed for this processor and this token, or its note is damaged") \
  X(BAD_TOKEN, 6, "bad token", "the token was not issued for this processor") \
  X(NO_TOKEN, 7, "no token", "there is no token") \
  X(NO_PROCESSOR_SECRET, 8, "no processor secret", "the processor has no secret in its fuses") \
  X(BAD_PAGE, 9, "bad page", "there is no such page")
#define DECRYPTION_STATUS_STALE(value) ((value) >> 8)  // instruction caches that must be flushed, a bit each
#define DECRYPTION_APPLICATION_0 0x40  // the application's secret, more significant word
#define DECRYPTION_APPLICATION_1 0x48  // the application's secret, less significant word
#define DECRYPTION_CHECK_0 0x50  // its check value, more significant word
#define DECRYPTION_CHECK_1 0x58  // its check value, less significant word
#define DECRYPTION_KEY_ID 0x60  // the key's id
#define DECRYPTION_KEY 0x68  // slot: asks the key unit for the key unless it is busy, and clears the five above
#define DECRYPTION_KEY_STATUS 0x70  // state of the key unit
#define DECRYPTION_KEY_STATUS_BUSY 0x01  // the key unit is busy
#define DECRYPTION_KEY_STATUS_ERROR(value) ((value) >> 4 & 0x0f)  // error of the last key, as above

// Of the guard of secure contexts
#define CONTEXTS_BASE 0x10060000
#define CONTEXTS_ID 0x00  // "Hauberk5"
#define CONTEXTS_ID_VALUE 0x4861756265726b35UL
#define CONTEXTS_GEOMETRY 0x08  // parameters of the hardware
#define CONTEXTS_GEOMETRY_CONTEXTS(value) ((value) & 0xff)  // secure contexts; their SPIDs are 1 to this number
#define CONTEXTS_GEOMETRY_TILES(value) ((value) >> 8 & 0xff)  // tiles whose accesses are checked
#define CONTEXTS_GEOMETRY_PAGE_BITS(value) ((value) >> 16 & 0xff)  // pages of the table are numbered with so many bits
#define CONTEXTS_OWNER 0x10  // changes the owner of a page, or asks for it; reads as the last write, with its result
#define CONTEXTS_OWNER_SPID(value) ((value) & 0xff)  // SPID of the context
#define CONTEXTS_OWNER_RELEASE 0x100  // makes a page of the context nobody's; otherwise, the context gets a page of nobody's
#define CONTEXTS_OWNER_ASK 0x200  // changes nothing: asks whether the page is the context's
#define CONTEXTS_OWNER_REFUSED 0x400  // read: the last write named a page or SPID that does not exist, a page with an owner to give, or a page that is not the context's to release or ask for; nothing changed
#define CONTEXTS_OWNER_BUSY 0x800  // read: the last write has not taken effect yet
#define CONTEXTS_OWNER_PAGE(value) ((value) >> 12)  // bits 63 to 12 of the page's address
#define CONTEXTS_STATUS 0x18  // state
#define CONTEXTS_STATUS_DENIED 0x01  // an access was denied: DENIAL and DENIAL_ADDRESS have the first
#define CONTEXTS_DENIAL 0x20  // the first access that was denied
#define CONTEXTS_DENIAL_TILE(value) ((value) & 0xff)  // tile that made the access; 255: another master
#define CONTEXTS_DENIAL_SPID(value) ((value) >> 8 & 0xff)  // SPID for which it was made
#define CONTEXTS_DENIAL_WRITE 0x10000  // it would have written, or asked for the right to write
#define CONTEXTS_DENIAL_ADDRESS 0x28  // its address
#define CONTEXTS_DENIALS 0x30  // accesses denied since reset
#define CONTEXTS_CLEAR 0x38  // 1 makes room for the next denial
#define CONTEXTS_OTHERS 0x40  // what other masters may do
#define CONTEXTS_OTHERS_OPEN 0x01  // other masters than tiles may access memory; 1 opens it to them, until the next reset
#define CONTEXTS_IDENTITY 0x48  // what tells this processor from others
#define CONTEXTS_IDENTITY_HAS_SECRET 0x01  // the fuses have a secret of this processor
#define CONTEXTS_RANDOM 0x50  // a random word, which nobody else gets; 0 if there is none yet
#define CONTEXTS_SECRET_0 0x58  // word 0 of its secret, least significant first; 0 if it has none
#define CONTEXTS_SECRET_1 0x60  // word 1 of its secret, least significant first; 0 if it has none
#define CONTEXTS_SECRET_2 0x68  // word 2 of its secret, least significant first; 0 if it has none
#define CONTEXTS_SECRET_3 0x70  // word 3 of its secret, least significant first; 0 if it has none
#define CONTEXTS_TILE 0x100
#define CONTEXTS_TILE_STRIDE 0x08  // from tile to tile
#define CONTEXTS_TILE_ACTIVE 0x00  // for whom the tile makes its accesses; written, it changes when no request of the tile is under way
#define CONTEXTS_TILE_ACTIVE_SPID(value) ((value) & 0xff)  // SPID of what runs on it
#define CONTEXTS_TILE_ACTIVE_MICROCODE 0x100  // microcode runs on it, which may access every page
#define CONTEXTS_TILE_ACTIVE_REFUSED 0x200  // the last write named an SPID that does not exist, and changed nothing
#define CONTEXTS_TILE_ACTIVE_CHANGING 0x400  // the last write waits for requests of the tile that are under way

// Of the hasher
#define HASHER_BASE 0x10070000
#define HASHER_ID 0x00  // "Hauberk6"
#define HASHER_ID_VALUE 0x4861756265726b36UL
#define HASHER_STATUS 0x08  // state
#define HASHER_STATUS_BUSY 0x01  // a message has begun and is not whole
#define HASHER_STATUS_READING 0x02  // lines of a range are left to read, or the digest is being made
#define HASHER_STATUS_FAILED 0x04  // the last message ended by a read that failed: nothing is added until ABORT
#define HASHER_STATUS_DONE 0x08  // DIGEST is that of the last message
#define HASHER_STATUS_REFUSED 0x10  // since ABORT, a range or word was not added: it came too early or after a failed read, or the range was not in memory, or had no line
#define HASHER_STATUS_FULL 0x20  // a range would be refused: lines of the last one are left to ask for, END was written, or a read failed
#define HASHER_ADDRESS 0x10  // address of a range of memory, a multiple of 64
#define HASHER_LINES 0x18  // lines of 64 bytes of the range, at most 4 Mi: adds them to the message
#define HASHER_WORD 0x20  // adds eight bytes to the message, the first one least significant
#define HASHER_TAIL 0x28  // the last bytes of the message, the first one least significant
#define HASHER_END 0x30  // number of bytes in TAIL, 0 to 8: ends the message
#define HASHER_ABORT 0x38  // 1 ends the message without a digest
#define HASHER_DIGEST_0 0x40  // bytes 0 to 7 of the digest, the first one least significant; 0 unless DONE
#define HASHER_DIGEST_1 0x48  // bytes 8 to 15 of the digest, the first one least significant; 0 unless DONE
#define HASHER_DIGEST_2 0x50  // bytes 16 to 23 of the digest, the first one least significant; 0 unless DONE
#define HASHER_DIGEST_3 0x58  // bytes 24 to 31 of the digest, the first one least significant; 0 unless DONE

// Of the page clearer
#define CLEARER_BASE 0x10071000
#define CLEARER_ID 0x00  // "Hauberk7"
#define CLEARER_ID_VALUE 0x4861756265726b37UL
#define CLEARER_STATUS 0x08  // state
#define CLEARER_STATUS_BUSY 0x01  // a page is being cleared
#define CLEARER_STATUS_REFUSED 0x02  // the last page was not taken: it came while BUSY, or is no page of memory
#define CLEARER_STATUS_CLEARED(value) ((value) >> 16 & 0xffff)  // pages cleared since reset, modulo 65536; one of which memory refused a line does not count
#define CLEARER_PAGE 0x10  // clears a page
#define CLEARER_PAGE_SLOWLY 0x01  // one line at a time, for the sake of the hasher
#define CLEARER_PAGE_NUMBER(value) ((value) >> 12)  // of a page of memory

// Of the last-level cache
#define CACHE_BASE 0x10050000
#define CACHE_ID 0x00  // "Hauberk4"
#define CACHE_ID_VALUE 0x4861756265726b34UL
#define CACHE_GEOMETRY 0x08  // parameters of the hardware
#define CACHE_GEOMETRY_BANKS(value) ((value) & 0xff)  // number of banks
#define CACHE_GEOMETRY_WAYS(value) ((value) >> 8 & 0xff)  // associativity
#define CACHE_GEOMETRY_SET_BITS(value) ((value) >> 16 & 0xff)  // log2 of the sets of a bank
#define CACHE_GEOMETRY_LINE_BITS(value) ((value) >> 24 & 0xff)  // log2 of a line's bytes
#define CACHE_CMD 0x10  // commands, a bit each
#define CACHE_CMD_FLUSH 0x01  // write all dirty lines back to memory
#define CACHE_STATUS 0x18  // state
#define CACHE_STATUS_FLUSH_BUSY 0x01  // writing dirty lines back
#define CACHE_STATUS_LOST 0x02  // memory refused a line that was written back
#define CACHE_STAT_HITS 0x20  // accesses that found their line
#define CACHE_STAT_MISSES 0x28  // accesses that did not
#define CACHE_STAT_WRITEBACKS 0x30  // lines written back to memory
#define CACHE_STAT_NAMES {"hits", "misses", "writebacks"}
#define CACHE_RECORDED(X) \
  X(hits, lastLevelCache, hits) \
  X(misses, lastLevelCache, misses) \
  X(writebacks, lastLevelCache, writebacks)

// Of the boot header
#define HEADER_BASE 0x10020000
#define HEADER_WRAPPED_KEY_0 0x00  // word 0 of the image's wrapped key
#define HEADER_WRAPPED_KEY_1 0x08  // word 1 of the image's wrapped key
#define HEADER_WRAPPED_KEY_2 0x10  // word 2 of the image's wrapped key
#define HEADER_ENTRY 0x18  // address of the program's first instruction
#define HEADER_HARTS 0x20  // number of harts
#define HEADER_PROTECTOR 0x28  // address of the protector's registers, 0 if there is none
#define HEADER_IMAGE_BLOCKS 0x30  // blocks of the encrypted image in each engine's bank
#define HEADER_DECRYPTION 0x38  // address of the registers of instruction decryption, 0 if there is none
#define HEADER_CACHE 0x40  // address of the last-level cache's registers, 0 if there is none

// Of the DMA master for tests
#define DMA_BASE 0x100a0000
#define DMA_ID 0x00  // "Hauberk8"
#define DMA_ID_VALUE 0x4861756265726b38UL
#define DMA_STATUS 0x08  // state
#define DMA_STATUS_BUSY 0x01  // a copy is under way
#define DMA_STATUS_DENIED_READ 0x02  // the last copy ended at a read that was denied
#define DMA_STATUS_DENIED_WRITE 0x04  // the last copy ended at a write that was denied
#define DMA_SOURCE 0x10  // address to copy from, a multiple of 8
#define DMA_DESTINATION 0x18  // address to copy to, a multiple of 8
#define DMA_GO 0x20  // copies so many bytes, a multiple of 8; ignored while BUSY

#define MICROCODE_BASE 0x10080000
#define MICROCODE_BYTES 0x20000

#endif
