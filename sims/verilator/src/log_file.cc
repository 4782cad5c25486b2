#include "log_file.h"

#include "user_error.h"

namespace hauberk {

void LogFile::moveTo(const std::string& path) {
  path_ = path;
  if (file_.is_open()) file_.close();
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw UserError("cannot write the log of " + what_ + " " + path);
}

void LogFile::close() {
  if (!file_.is_open()) return;
  file_.close();
  if (!file_)
    throw UserError("the log of " + what_ + " " + path_ + " is not whole: name a file in a folder that has room");
}

}  // namespace hauberk
