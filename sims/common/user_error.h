// An error the user can mend: its text is one sentence that says what to change, and it ends the program.
#pragma once

#include <stdexcept>
#include <string>

namespace hauberk {

struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace hauberk
