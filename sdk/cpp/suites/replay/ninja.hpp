// Reads builds from Ninja files that CMake or Meson has generated.
#ifndef DERNY_REPLAY_NINJA_HPP
#define DERNY_REPLAY_NINJA_HPP

#include "model.hpp"

namespace replay {

class ninja_tool : public build_tool {
  public:
    ninja_tool(path tool, path folder, path log) : tool_(std::move(tool)), folder_(std::move(folder)), log_(std::move(log)) {}

    ended refresh() const override { return call({"build.ninja"}); }

    ended make(const words &targets) const override {
        words all = {"-k", "0"};
        all.insert(all.end(), targets.begin(), targets.end());
        return call(all);
    }

    build read() const override {
        build all;
        all.folder = folder_;
        words names;
        for (const std::string &line : lines_of(call({"-t", "targets", "all"}).printed)) {
            const std::size_t colon = line.rfind(": ");
            if (colon == std::string::npos || !links_program(line.substr(0, colon), line.substr(colon + 2))) continue;
            names.push_back(line.substr(0, colon));
            all.programs.push_back({names.back(), resolved(names.back(), folder_)});
        }
        if (names.empty()) return all;
        words asked = {"-t", "commands"};
        asked.insert(asked.end(), names.begin(), names.end());
        for (const std::string &line : lines_of(call(asked).printed)) add_line(all, line, folder_);
        return all;
    }

    /// Returns the files that each object depends on.
    dependencies read_dependencies(const build &) const override {
        dependencies all;
        std::set<path> *own = nullptr;
        for (const std::string &line : lines_of(call({"-t", "deps"}).printed)) {
            const std::size_t colon = line.find(": #deps");
            if (colon != std::string::npos) own = &all[resolved(line.substr(0, colon), folder_)];
            else if (starts_with(line, "    ") && own != nullptr) own->insert(lexical(line.substr(4), folder_));
        }
        return all;
    }

  private:
    static bool links_program(const std::string &output, const std::string &rule) {
        if (contains(rule, "EXECUTABLE_LINKER")) return true;
        const std::string name = path(output).filename().string();
        const bool is_library = contains(name, ".so") || ends_with(name, ".dylib") || ends_with(name, ".a");
        return !is_library && (ends_with(rule, "_LINKER") || rule == "link");
    }

    ended call(const words &arguments) const {
        words all = {tool_.string(), "-C", folder_.string()};
        all.insert(all.end(), arguments.begin(), arguments.end());
        ended result = run(all, folder_, log_);
        const std::string entering = "ninja: Entering directory";
        if (starts_with(result.printed, entering)) result.printed.erase(0, result.printed.find('\n') + 1);
        return result;
    }

    path tool_, folder_, log_;
};

} // namespace replay

#endif
