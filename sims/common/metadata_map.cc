#include "metadata_map.h"

#include <algorithm>

#include "user_error.h"

namespace hauberk {

namespace {

bool wanted(const AttackScript& script, const MetadataArray& array) {
  return script.replays("path") || script.replays(array.kind) || script.replays(array.name()) ||
         (array.kind == "version" && script.replays("counter"));
}

}  // namespace

uint64_t Bank::toLocal(uint64_t address) const {
  uint64_t local = 0;
  unsigned to = 0;
  for (unsigned from = 0; from < 64; from++) {
    if (selectMask >> from & 1) continue;
    local |= ((address - base) >> from & 1) << to++;
  }
  return local;
}

uint64_t Bank::toGlobal(uint64_t local) const {
  uint64_t offset = select;
  unsigned from = 0;
  for (unsigned to = 0; to < 64; to++) {
    if (selectMask >> to & 1) continue;
    offset |= (local >> from++ & 1) << to;
  }
  return base + offset;
}

MetadataMap::MetadataMap(uint64_t base, uint64_t bytes, std::vector<Bank> banks, std::vector<MetadataArray> arrays,
                         uint64_t blockBytes)
    : base_(base), bytes_(bytes), blockBytes_(blockBytes), banks_(std::move(banks)), arrays_(std::move(arrays)) {}

std::vector<MemoryPlace> MetadataMap::places(const AttackScript& script) const {
  if (script.replays("image")) return {{base_, bytes_}};
  std::vector<MemoryPlace> places = metadataOf(script);
  const bool metadata = script.what != std::vector<std::string>{"data"};
  if (metadata && places.empty()) {
    throw UserError("attack " + script.text + ": the field what names metadata that this scheme does not keep");
  }
  if (script.replays("data")) places.push_back({script.address, script.bytes});
  return places;
}

std::vector<MemoryPlace> MetadataMap::metadataOf(const AttackScript& script) const {
  std::vector<MemoryPlace> places;
  for (uint64_t at = script.address / blockBytes_ * blockBytes_; at < script.address + script.bytes;
       at += blockBytes_) {
    const auto bank = std::find_if(banks_.begin(), banks_.end(), [&](const Bank& s) { return s.contains(at); });
    if (bank == banks_.end()) continue;
    const uint64_t block = bank->toLocal(at) / blockBytes_;
    for (const MetadataArray& array : arrays_) {
      if (!wanted(script, array)) continue;
      if (!array.covers(block)) {
        throw UserError("attack " + script.text +
                        ": the fields addr and bytes reach behind the data, where no block has metadata");
      }
      const MemoryPlace place{bank->toGlobal(array.entryAddress(block)), array.entryBytes()};
      // Neighbours share lines
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
  }
  return places;
}

}  // namespace hauberk
