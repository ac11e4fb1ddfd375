// The result for each file: its program, or a script that reports the reason to the engine.
#ifndef DERNY_REPLAY_OUTCOME_HPP
#define DERNY_REPLAY_OUTCOME_HPP

#include "order.hpp"
#include <cstdio>

namespace replay {

inline std::string encoded(const std::string &text) {
    std::string out;
    for (const unsigned char c : text) {
        char code[4] = {static_cast<char>(c), '\0'};
        if (c <= 0x20 || c >= 0x7f || c == '%' || c == '=') std::snprintf(code, sizeof code, "%%%02X", c);
        out += code;
    }
    return out;
}

class outcome {
  public:
    explicit outcome(const order &own) : order_(own) {}

    /// Copies a program to the path at which the engine expects the program of `file`. `files` is the
    /// list that assigns cases to files.
    void place(const path &file, const path &program, const std::string &files) {
        const path to = order_.program_of(file);
        write_file(to, read_file(program), true);
        write_file(to.string() + ".files", files);
        placed_++;
    }

    void skip(const path &file, const std::string &why) {
        remark(order_.shown(file) + ": " + why);
        script(file, "case benchmark=" + encoded(file.stem().string()) + " skip=" + encoded(why));
    }

    /// Excludes a file that the user did not select.
    void leave_out(const path &file) { script(file, ""); }

    void fail(const path &file, const std::string &why) {
        const std::vector<std::string> lines = lines_of(why);
        std::string detail;
        for (std::size_t i = 0; i < lines.size() && i < 40; i++) detail += lines[i] + "\n";
        script(file, "case benchmark=" + encoded(file.stem().string()) + " error=" +
                         encoded("compilation failed: " + first_error(lines)) + " detail=" + encoded(detail));
        if (failure_.empty()) failure_ = order_.shown(file) + ": " + why;
    }

    /// Prints a remark for the user. The engine shows lines of this form.
    void remark(const std::string &text) {
        if (said_.insert(text).second) std::printf("derny: %s\n", text.c_str());
    }

    /// Fails if no file can be measured and at least one could not be built.
    void tell() const {
        if (placed_ == 0 && !failure_.empty()) throw problem(failure_);
    }

  private:
    static std::string first_error(const std::vector<std::string> &lines) {
        for (const std::string &line : lines) {
            if (contains(line, "error: ") || contains(line, "undefined reference")) return line;
        }
        return lines.empty() ? "" : lines.front();
    }

    /// Writes a script that behaves like a program with one case, or with none.
    void script(const path &file, const std::string &listed) {
        const std::string line = listed.empty() ? "" : listed + "\n";
        write_file(order_.program_of(file),
                   "#!/bin/sh\nexec 3>\"$DERNY_REPLIES\" 4<\"$DERNY_COMMANDS\"\n"
                   "echo \"derny 1 language=cpp runtime=c++/none harness=none pid=$$ clock=none step_ns=1\" >&3\n"
                   "while read -r command <&4; do\ncase $command in\n"
                   "list*) printf '%s' '" + replaced(line, "'", "'\\''") + "' >&3; echo end >&3 ;;\n"
                   "quit) exit 0 ;;\n"
                   "*) echo 'error message=there%20is%20nothing%20to%20measure' >&3 ;;\n"
                   "esac\ndone\n",
                   true);
    }

    const order &order_;
    int placed_ = 0;
    std::string failure_;
    std::set<std::string> said_;
};

} // namespace replay

#endif
