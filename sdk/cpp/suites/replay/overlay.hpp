// A changed copy of a user's header, and the changes that make the compiler find it. If a file
// includes the header by a relative path, the include path is not used. The file is then copied
// too, with the include changed.
#ifndef DERNY_REPLAY_OVERLAY_HPP
#define DERNY_REPLAY_OVERLAY_HPP

#include "depfile.hpp"

namespace replay {

/// The path in a line's `#include`, as written. Empty if there is none.
struct included {
    std::string name;
    bool is_quoted = false;

    explicit included(const std::string &line) {
        std::size_t at = line.find_first_not_of(" \t");
        if (at == std::string::npos || line[at] != '#') return;
        at = line.find_first_not_of(" \t", at + 1);
        if (at == std::string::npos || line.compare(at, 7, "include") != 0) return;
        at = line.find_first_not_of(" \t", at + 7);
        if (at == std::string::npos || (line[at] != '"' && line[at] != '<')) return;
        is_quoted = line[at] == '"';
        const std::size_t end = line.find(is_quoted ? '"' : '>', at + 1);
        if (end != std::string::npos) name = line.substr(at + 1, end - at - 1);
    }
};

class overlay {
  public:
    /// Returns true for files of the compiler and the C library, which never include the user's
    /// files.
    static bool is_of_system(const path &file) {
        const std::string name = file.string();
        return starts_with(name, "/usr/include/c++/") || starts_with(name, "/usr/lib/") || contains(name, "-linux-gnu/");
    }

    /// Creates the copies. `files` contains all files that an object depends on, including
    /// `header`. `text` replaces the header.
    overlay(const path &below, const path &source, const std::set<path> &files, const path &header, const std::string &text)
        : folder_(below / ("overlay-" + hash_of(header.string()))), source_(lexical(source, "/")) {
        moved_[header] = header_ = place_of(header);
        for (const path &file : files) {
            if (!is_of_system(file)) lines_[file] = lines_of(read_file(file));
        }
        lines_[source_] = lines_of(read_file(source_));
        while (add_includers()) {}
        // Warnings about a library must not fail the user's build.
        write_file(moved_[header], "#pragma GCC system_header\n#line 1 \"" + header.string() + "\"\n" + text);
        for (const auto &[file, copy] : moved_) {
            if (file != header) write_file(copy, changed(file));
            if (file != source_) write_links(file, copy);
        }
    }

    /// Returns the folder that must come first on the include path.
    path folder() const { return folder_ / "include"; }

    path header() const { return header_; }

    /// Returns the source to compile instead of the user's, or "".
    path source() const {
        const auto found = moved_.find(source_);
        return found == moved_.end() ? path() : found->second;
    }

  private:
    path place_of(const path &file) const { return folder_ / hash_of(file.parent_path().string()) / file.filename(); }

    /// Adds the files that include a copied file by a relative path. Returns true if there were
    /// any.
    bool add_includers() {
        std::vector<path> more;
        for (const auto &[file, lines] : lines_) {
            if (moved_.count(file) > 0) continue;
            for (const std::string &line : lines) {
                const included own(line);
                if (own.is_quoted && moved_.count(lexical(own.name, file.parent_path())) > 0) {
                    more.push_back(file);
                    break;
                }
            }
        }
        for (const path &file : more) moved_[file] = place_of(file);
        return !more.empty();
    }

    /// Returns the text of a copied file, in which relative includes have absolute paths.
    std::string changed(const path &file) const {
        std::string text = "#line 1 \"" + file.string() + "\"\n";
        for (const std::string &line : lines_.at(file)) {
            const included own(line);
            const path beside = lexical(own.name, file.parent_path());
            const auto found = moved_.find(beside);
            if (!own.is_quoted || (found == moved_.end() && !fs::exists(beside))) text += line + "\n";
            else text += "#include \"" + (found == moved_.end() ? beside : found->second).string() + "\"\n";
        }
        return text;
    }

    /// Makes a copied file available on the include path under each name by which it is included.
    void write_links(const path &file, const path &copy) const {
        std::set<std::string> names = {file.filename().string()};
        for (const auto &[from, lines] : lines_) {
            for (const std::string &line : lines) {
                const std::string name = included(line).name;
                if (!name.empty() && ends_with(file.string(), "/" + name)) names.insert(name);
            }
        }
        for (const std::string &name : names) write_file(folder() / name, "#include \"" + copy.string() + "\"\n");
    }

    path folder_, source_, header_;
    std::map<path, std::vector<std::string>> lines_;
    std::map<path, path> moved_;
};

} // namespace replay

#endif
