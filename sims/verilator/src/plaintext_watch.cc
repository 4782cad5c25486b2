#include "plaintext_watch.h"

#include <fstream>

#include "user_error.h"

namespace hauberk {

PlaintextWatch::PlaintextWatch(const std::string& path, uint64_t base) : base_(base) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw UserError("cannot read the plaintext to watch for, " + path);
  const auto size = static_cast<uint64_t>(file.tellg());
  if (size == 0) throw UserError("the plaintext to watch for, " + path + ", is empty");
  plaintext_.resize((size + 7) / 8);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(plaintext_.data()), static_cast<std::streamsize>(size));
}

}  // namespace hauberk
