// A file of lines that a run writes as it goes.
#pragma once

#include <fstream>
#include <string>

namespace hauberk {

class LogFile {
 public:
  /** `what` is the log's name in error messages. Keeps no log without a path. Throws UserError if the file cannot be
   * written.
   */
  LogFile(const std::string& what, const std::string& path) : what_(what) { moveTo(path); }

  bool active() const { return file_.is_open(); }
  std::ostream& stream() { return file_; }
  void flush() { file_.flush(); }
  /** From now on into this file, which has no earlier lines. */
  void moveTo(const std::string& path);
  /** Throws UserError if what was written is not all in the file. */
  void close();

 private:
  std::string what_;
  std::string path_;
  std::ofstream file_;
};

}  // namespace hauberk
