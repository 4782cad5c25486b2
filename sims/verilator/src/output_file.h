// Files that a run leaves behind.
#pragma once

#include <string>

namespace hauberk {

/** Throws UserError if `path` cannot be written, so that nobody learns that at the end of a long run. Changes nothing:
 * what the file holds stays, and a file that was not there is not there afterwards. Nothing is tried for an empty path.
 */
void tryOutput(const std::string& path);

/** The whole of a file. Throws UserError if it cannot be written, or not to its end. */
void writeOutput(const std::string& path, const char* data, size_t bytes);

}  // namespace hauberk
