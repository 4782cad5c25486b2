// The roots that a protector has on the chip, by which a verifier outside tells current memory from old.
#pragma once

#include <map>
#include <string>
#include <vector>

class VerilatedContext;

namespace hauberk {

/** For the memory or register of a name, within its module, the words of each engine, in hexadecimal. */
using Roots = std::map<std::string, std::vector<std::vector<std::string>>>;

/** What roots.py makes visible of a model. */
Roots readRoots(const VerilatedContext& context);

}  // namespace hauberk
