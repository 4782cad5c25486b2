// The adversary's script: what is done to the external memory or the bus between chips, where and when. `--attack
// KIND:FIELD=VALUE,...`, as in
// `--attack replay:addr=0x80001000,from=2000,at=5000,what=data+tag`.
//
//   flip    addr, at, bit           inverts one bit, counted from the byte at addr
//   xor     addr, at, mask          inverts the bits that are 1 in a mask, in hexadecimal, its first byte at addr
//   random  addr, at, [bytes], [seed]        replaces bytes by noise
//   splice  addr, with, at, [bytes]          exchanges the bytes at two places
//   replay  addr, from, at, [bytes], [what]  puts back what memory held in cycle `from` (by default 0); what: data,
//   tag, counter, path
//                                   (all metadata of these bytes) or several joined by +, or image (the whole memory)
//   drop    addr, at, [until], [bytes]       loses every write to these bytes
//   alias   addr, with, at, [until], [bytes] accesses to addr reach the cells of `with`
//   delay   addr, at, [until], cycles, [bytes]  holds back every answer from these bytes, and those behind it
//   hold    addr, at, [until], [for], [bytes], [what]  the answer to each read of what there is of these bytes (`what`
//                                   as of replay, or node0, node1, ...) comes so many cycles late or, by default,
//                                   never; those of other identifiers pass it
//
// and on the shared bus, where transfers are beats with data, counted from 0; `to` is who meets it, all but the sender
// unless said:
//
//   bus-flip    transfer, bit, [to]   inverts one data line
//   bus-drop    transfer, [to]        keeps it from those who listen
//   bus-replay  transfer, from, [to]  shows transfer `from` once more, when the shared bus is idle behind `transfer`
//   bus-spoof   transfer, pid         then shows a member a beat in its own name
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory_interposer.h"

namespace hauberk {

enum class AttackKind {
  Flip,
  Xor,
  Random,
  Splice,
  Replay,
  Drop,
  Alias,
  Delay,
  Hold,
  BusFlip,
  BusDrop,
  BusReplay,
  BusSpoof
};

struct AttackScript {
  std::string text;
  AttackKind kind = AttackKind::Flip;
  uint64_t address = 0;
  uint64_t with = 0;
  uint64_t from = 0;
  uint64_t at = 0;
  uint64_t until = kForEver;
  uint64_t bytes = 64;
  uint64_t bit = 0;
  uint64_t cycles = kForEver;  // of a delay, or of a hold: `for`
  std::vector<uint8_t> mask;
  uint64_t seed = 1;
  std::vector<std::string> what = {"data"};
  uint64_t transfer = 0;
  std::optional<uint64_t> member;  // `to`
  uint64_t pid = 0;

  /** It is the shared bus that is attacked, and not the memory. */
  bool onBus() const { return kind >= AttackKind::BusFlip; }

  bool covers(uint64_t place) const { return place - address < bytes; }
  /** The first cycle in which the adversary does something, if it is only to look. */
  uint64_t begins() const { return kind == AttackKind::Replay ? from : at; }
  bool active(uint64_t cycle) const { return cycle >= at && cycle < until; }
  bool replays(const std::string& part) const;

  /** Throws UserError with one sentence that names the field which is wrong. */
  static AttackScript parse(const std::string& text);
};

}  // namespace hauberk
