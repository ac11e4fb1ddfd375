// The engine's order: the files to build, and the build to use.
#ifndef DERNY_REPLAY_ORDER_HPP
#define DERNY_REPLAY_ORDER_HPP

#include "files.hpp"
#include "shell.hpp"

namespace replay {

struct order {
    path sdk, root, build;
    std::string library;
    /// A compiler, a build folder, or a program in one.
    words with;
    /// The user's arguments: `NAME=VALUE`, `--target=NAME`, and arguments for CMake.
    words arguments;
    std::vector<path> files;
    /// Folder of the objects that all builds share.
    path objects;

    /// Parses `SDK LIBRARY --root FOLDER --build FOLDER --with WORDS… --arguments WORDS… --files FILES…`.
    static order parse(const words &given) {
        static const char *const names[] = {"--root", "--build", "--with", "--arguments", "--files"};
        std::vector<words> parts(1);
        std::size_t next = 0;
        for (const std::string &word : given) {
            if (next < 5 && word == names[next]) {
                parts.emplace_back();
                next++;
            } else {
                parts.back().push_back(word);
            }
        }
        if (next < 5 || parts[0].size() != 2 || parts[1].size() != 1 || parts[2].size() != 1) {
            throw problem("expected SDK LIBRARY --root FOLDER --build FOLDER --with WORDS --arguments WORDS --files FILES");
        }
        order own;
        own.sdk = parts[0][0];
        own.library = parts[0][1];
        own.root = resolved(parts[1][0], fs::current_path());
        own.build = resolved(parts[2][0], fs::current_path());
        own.with = parts[3];
        own.arguments = parts[4];
        for (const std::string &file : parts[5]) own.files.push_back(resolved(file, own.root));
        return own;
    }

    /// Returns the path at which the engine expects the program of a file.
    path program_of(const path &file) const { return build / fs::relative(file, root).replace_extension(); }

    /// Returns the user's arguments except `--target`, and `CXX=` with the compiler that the user named.
    words variables() const {
        words all;
        for (const std::string &word : arguments) {
            if (word.compare(0, 9, "--target=") != 0) all.push_back(word);
        }
        if (!with.empty() && with[0] != "c++" && !fs::is_directory(resolved(with[0], working_tree()))) all.push_back("CXX=" + with[0]);
        return all;
    }

    std::string shown(const path &file) const {
        return is_within(file, root) ? fs::relative(file, root).string() : file.string();
    }

    /// Returns the user's working tree if a revision is built, and otherwise the root. The tree of
    /// a revision is in `STORE/worktrees/KEY/…`, and the store is in the working tree.
    path working_tree() const {
        for (path above = root; above != above.parent_path(); above = above.parent_path()) {
            if (above.parent_path().filename() == "worktrees") return above.parent_path().parent_path().parent_path();
        }
        return root;
    }
    bool is_revision() const { return working_tree() != root; }
};

} // namespace replay

#endif
