// A state of a Verilated model in memory, to come back to.
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace hauberk {

/** Verilator's serialiser into a vector instead of a file. */
class StateWriter : public VerilatedSerialize {
 public:
  StateWriter() { m_isOpen = true; }
  void flush() override {
    to_.insert(to_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }
  std::vector<uint8_t> take() {
    flush();
    return std::move(to_);
  }

 private:
  std::vector<uint8_t> to_;
};

class StateReader : public VerilatedDeserialize {
 public:
  StateReader() { m_isOpen = true; }
  void begin(const std::vector<uint8_t>& from) {
    from_ = &from;
    at_ = 0;
    m_cp = m_endp = m_bufp;
    fill();
  }
  void fill() override {
    if (at_ == from_->size()) return;
    const size_t kept = m_endp - m_cp;
    std::memmove(m_bufp, m_cp, kept);
    const size_t more = std::min(bufferSize() - kept, from_->size() - at_);
    std::memcpy(m_bufp + kept, from_->data() + at_, more);
    at_ += more;
    m_cp = m_bufp;
    m_endp = m_bufp + kept + more;
  }

 private:
  const std::vector<uint8_t>* from_ = nullptr;
  size_t at_ = 0;
};

}  // namespace hauberk
