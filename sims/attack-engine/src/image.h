// Bytes of the external memory that can go back to a marked state quickly: only lines that changed since are copied.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace hauberk::engine {

class Image {
 public:
  explicit Image(uint32_t bytes) : now_(bytes), marked_(bytes), changed_(bytes / kLine) {}

  const uint8_t* at(uint32_t address) const { return &now_[address]; }
  uint32_t size() const { return static_cast<uint32_t>(now_.size()); }
  uint64_t word(uint32_t address) const {
    uint64_t value;
    std::memcpy(&value, &now_[address & ~7u], 8);
    return value;
  }

  void write(uint32_t address, const uint8_t* bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) put(address + i, bytes[i]);
  }
  void put(uint32_t address, uint8_t value) {
    const uint32_t line = address / kLine;
    if (!changed_[line]) {
      changed_[line] = 1;
      list_.push_back(line);
    }
    now_[address] = value;
  }

  void mark() {
    for (uint32_t line : list_) copy(now_, marked_, line);
    forget();
  }
  void back() {
    for (uint32_t line : list_) copy(marked_, now_, line);
    forget();
  }

 private:
  static constexpr uint32_t kLine = 64;
  static void copy(const std::vector<uint8_t>& from, std::vector<uint8_t>& to, uint32_t line) {
    std::memcpy(&to[line * kLine], &from[line * kLine], kLine);
  }
  void forget() {
    for (uint32_t line : list_) changed_[line] = 0;
    list_.clear();
  }

  std::vector<uint8_t> now_, marked_;
  std::vector<uint8_t> changed_;
  std::vector<uint32_t> list_;
};

}  // namespace hauberk::engine
