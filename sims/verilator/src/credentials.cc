#include "credentials.h"

#include <algorithm>

#include "json_file.h"

namespace hauberk {

Credentials Credentials::read(const std::string& path) {
  Credentials credentials;
  if (path.empty()) return credentials;
  const JsonFile file(path);
  const auto key = [&path](const JsonFile& object, const char* field) {
    return keyFromHex(object.text(field), path + ": " + field);
  };
  if (file.has("processorSecret")) credentials.processorSecret = key(file, "processorSecret");
  if (file.has("token")) {
    const JsonFile token = file.object("token");
    credentials.token = Credential{key(token, "secret"), key(token, "check")};
  }
  if (file.has("contextSecret")) {
    ContextSecret secret{};
    const auto bytes = bytesFromHex(file.text("contextSecret"), secret.size(), path + ": contextSecret");
    std::copy(bytes.begin(), bytes.end(), secret.begin());
    credentials.contextSecret = secret;
  }
  return credentials;
}

}  // namespace hauberk
