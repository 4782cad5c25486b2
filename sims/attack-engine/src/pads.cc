#include "pads.h"

#include <algorithm>
#include <cstring>

namespace hauberk::engine {

void PadLog::written(uint32_t address, const Image& plain, const Image& known) {
  const uint32_t block = address / blockBytes_ * blockBytes_;
  Version version;
  version.known = std::all_of(known.at(block), known.at(block) + blockBytes_, [](uint8_t byte) { return byte != 0; });
  std::memcpy(version.bytes, plain.at(block), blockBytes_);
  versions_[block].push_back(version);
}

void PadLog::stored(uint32_t address, const uint8_t* cipher) {
  const auto found = versions_.find(address);
  if (found == versions_.end() || found->second.empty()) return;
  const Version version = found->second.front();
  found->second.pop_front();
  if (version.known) seen(address, version.bytes, cipher);
}

void PadLog::seen(uint32_t address, const uint8_t* plain, const uint8_t* cipher) {
  constexpr unsigned kAesBlock = 16;
  for (unsigned i = 0; i < blockBytes_; i += kAesBlock) {
    uint64_t p, c;
    std::memcpy(&p, plain + i, sizeof p);
    std::memcpy(&c, cipher + i, sizeof c);
    if (marked_.count(p ^ c) == 0 && now_.insert(p ^ c).second) continue;
    if (!repeated) firstRepeated = address;
    repeated = true;
  }
}

void PadLog::mark() {
  marked_.insert(now_.begin(), now_.end());
  now_.clear();
  markedRepeated_ = repeated;
}

void PadLog::back() {
  now_.clear();
  versions_.clear();
  repeated = markedRepeated_;
}

}  // namespace hauberk::engine
