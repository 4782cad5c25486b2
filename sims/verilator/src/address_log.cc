#include "address_log.h"

namespace hauberk {

void AddressLog::note(const SeenRequest& request) {
  stream() << std::dec << request.cycle << (request.write ? " write 0x" : " read 0x") << std::hex << request.address
           << std::dec << ' ' << request.bytes << ' ' << request.id << '\n';
}

}  // namespace hauberk
