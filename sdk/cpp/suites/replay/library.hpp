// The libraries whose benchmarks are measured, with the ways to recognise them in a build and to
// replace them.
#ifndef DERNY_REPLAY_LIBRARY_HPP
#define DERNY_REPLAY_LIBRARY_HPP

#include "model.hpp"
#include <memory>

namespace replay {

struct changes {
    /// Folders that come first on the include path.
    std::vector<path> includes;
    /// The source to compile instead of the user's, or empty.
    path source;
    words flags;
};

class library {
  public:
    virtual ~library() = default;

    /// Returns the name to show to users.
    virtual std::string title() const = 0;
    /// Returns the name of the library's convention in sdk.toml.
    virtual std::string name() const = 0;
    /// Returns the header that is replaced, among the files that an object depends on, or "".
    virtual path header_among(const std::set<path> &files) const = 0;
    /// Returns true if an object with this header must be compiled again.
    virtual bool is_concerned(const path &source, const path &header, const std::set<path> &files) const = 0;
    /// Returns true if the engine treats a file with this text as a benchmark file (`contains` in sdk.toml).
    virtual bool is_benchmark(const std::string &text) const = 0;
    /// Returns the changes for an object that uses the header. Writes the necessary files into a
    /// folder below `below`.
    virtual changes replace(const path &source, const path &header, const std::set<path> &files, const path &below) const = 0;
    /// Returns Derny's sources that each program is linked with.
    virtual std::vector<path> sources() const = 0;
    /// Returns the words to add to a program's link command, given its objects that were compiled again.
    virtual words link_flags(const std::vector<path> &) const { return {}; }
    /// Returns the library's own header if an object included it despite the changes, or "".
    virtual path kept_header(const std::set<path> &files) const = 0;
};

} // namespace replay

#endif
