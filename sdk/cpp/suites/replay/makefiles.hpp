// Reads builds from Makefiles that CMake has generated.
#ifndef DERNY_REPLAY_MAKEFILES_HPP
#define DERNY_REPLAY_MAKEFILES_HPP

#include "model.hpp"
#include <thread>

namespace replay {

class make_tool : public build_tool {
  public:
    make_tool(path tool, path folder, path log) : tool_(std::move(tool)), folder_(std::move(folder)), log_(std::move(log)) {}

    ended refresh() const override { return call({"cmake_check_build_system"}); }

    ended make(const words &targets) const override {
        words all = {"-k", "-j" + std::to_string(std::max(1u, std::thread::hardware_concurrency()))};
        all.insert(all.end(), targets.begin(), targets.end());
        return call(all);
    }

    build read() const override {
        build all;
        all.folder = folder_;
        for (const std::string &line : lines_of(read_file(folder_ / "CMakeFiles" / "TargetDirectories.txt"))) {
            const path target = resolved(line, folder_);
            const path beside = target.parent_path().parent_path();
            for (const std::string &link : lines_of(read_file(target / "link.txt"))) add_line(all, link, beside);
            for (const std::string &compile : compiles(target)) add_line(all, compile, beside);
            const std::vector<words> link = parse_line(read_file(target / "link.txt"));
            const std::size_t at = link.empty() ? 0 : output_of(link.front());
            if (at == 0 || std::find(link.front().begin(), link.front().end(), "-shared") != link.front().end()) continue;
            all.programs.push_back({target.stem().string(), resolved(link.front()[at], beside)});
        }
        return all;
    }

    /// Reads the depfile next to each object.
    dependencies read_dependencies(const build &own) const override {
        dependencies all;
        for (const auto &[object, maker] : own.steps) {
            if (maker.compiles()) all[object] = read_depfile(object.string() + ".d", maker.folder);
        }
        return all;
    }

  private:
    /// Returns the commands that compile a target's files, including the target's flags.
    static std::vector<std::string> compiles(const path &target) {
        std::vector<std::string> all;
        std::map<std::string, std::string> flags;
        for (const std::string &line : lines_of(read_file(target / "flags.make"))) {
            const std::size_t sign = line.find(" =");
            if (sign != std::string::npos && line[0] != '#') {
                flags["$(" + line.substr(0, sign) + ")"] = line.substr(std::min(line.size(), sign + 3));
            }
        }
        for (std::string line : lines_of(read_file(target / "build.make"))) {
            if (line.empty() || line[0] != '\t' || !contains(line, " -c ") || !contains(line, " -o ")) continue;
            for (const auto &[name, value] : flags) line = replaced(line, name, value);
            all.push_back(replaced(replaced(line, "\\#", "#"), "$$", "$"));
        }
        return all;
    }

    ended call(const words &arguments) const {
        words all = {tool_.string(), "-C", folder_.string()};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return run(all, folder_, log_);
    }

    path tool_, folder_, log_;
};

} // namespace replay

#endif
