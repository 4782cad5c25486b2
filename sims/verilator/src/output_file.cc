#include "output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "user_error.h"

namespace hauberk {

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw UserError("cannot write " + path + " (" + std::strerror(errno) +
                  "): name a file in a folder that is there and "
                  "has room");
}

}  // namespace

void tryOutput(const std::string& path) {
  if (path.empty()) return;
  std::error_code unknown;
  const bool there = std::filesystem::exists(path, unknown);
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) refuse(path);
  std::fclose(file);
  if (!there) std::filesystem::remove(path, unknown);
}

void writeOutput(const std::string& path, const char* data, size_t bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) refuse(path);
  const bool written = std::fwrite(data, 1, bytes, file) == bytes && std::fflush(file) == 0;
  const int failed = errno;
  const bool closed = std::fclose(file) == 0;
  if (written && closed) return;
  if (!written) errno = failed;
  refuse(path);
}

}  // namespace hauberk
