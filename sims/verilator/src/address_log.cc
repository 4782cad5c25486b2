#include "address_log.h"

#include "user_error.h"

namespace hauberk {

void AddressLog::note(const SeenRequest& request) {
  file_ << std::dec << request.cycle << (request.write ? " write 0x" : " read 0x") << std::hex << request.address
        << std::dec << ' ' << request.bytes << ' ' << request.id << '\n';
}

void AddressLog::moveTo(const std::string& path) {
  path_ = path;
  if (file_.is_open()) file_.close();
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw UserError("cannot write the log of addresses " + path);
}

void AddressLog::close() {
  if (!file_.is_open()) return;
  file_.close();
  if (!file_) throw UserError("the log of addresses " + path_ + " is not whole: name a file in a folder that has room");
}

}  // namespace hauberk
