#include "dram_storage.h"

#include <fstream>

#include "output_file.h"
#include "random.h"
#include "user_error.h"

namespace hauberk {

DramStorage::DramStorage(uint64_t base, uint64_t bytes, uint64_t noiseSeed) : base_(base), words_(bytes / 8) {
  if (noiseSeed == 0) return;
  Random noise(noiseSeed);
  for (uint64_t& word : words_) word = noise.next();
}

uint64_t DramStorage::write(uint64_t address, uint64_t data, uint8_t strobe) {
  uint64_t& word = words_[(address - base_) / 8];
  if (strobe == 0xff) return word = data;
  uint64_t mask = 0;
  for (int byte = 0; byte < 8; byte++) {
    if (strobe >> byte & 1) mask |= uint64_t{0xff} << (8 * byte);
  }
  return word = (word & ~mask) | (data & mask);
}

void DramStorage::load(const std::string& path, uint64_t address) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw UserError("cannot read the DRAM image " + path);
  const auto size = static_cast<uint64_t>(file.tellg());
  const uint64_t room = contains(address) ? base_ + bytes() - address : 0;
  if (size > room) {
    throw UserError("the DRAM image " + path + " has " + std::to_string(size) + " bytes, but this SoC's DRAM has " +
                    std::to_string(room) + " where it goes: make the package for this configuration");
  }
  file.seekg(0);
  file.read(reinterpret_cast<char*>(words_.data()) + (address - base_), static_cast<std::streamsize>(size));
  if (!file) throw UserError("reading the DRAM image " + path + " failed half-way");
}

void DramStorage::dump(const std::string& path) const {
  writeOutput(path, reinterpret_cast<const char*>(words_.data()), bytes());
}

}  // namespace hauberk
