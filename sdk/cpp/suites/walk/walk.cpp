// Serves the engine while the user's program runs. `main` belongs to the user, and only `main`
// reaches the benchmarks:
//
// 1. The conversation begins before `main`, and waits for the first `list` or `open`.
// 2. `list` lets the program reach all benchmarks without running them. The answer follows when the program ends.
// 3. `open` lets the program reach one benchmark. Its loop waits here between turns until `close`.
// 4. A later `open` lets the program continue. If the benchmark cannot be reached any more, or the program has ended,
//    the process starts itself again.
//
// Without an engine, each benchmark runs once.

#include "walk.h"
#include "../../include/derny/conversation.h"
#include "../../include/derny/failure.hpp"
#include "../../include/derny/start.h"
#include "../program/files.h"
#include "../program/remarks.h"
#include <csignal>
#include <map>
#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace derny {
namespace walk {
namespace {

/// The reason for the current walk.
enum class purpose { run_once, list, seek, measure, end };

enum class work { none, check, measure };

class walker {
  public:
    /// Returns the walker of this process. It is never destroyed, because it is needed until the
    /// process ends.
    static walker &get() {
        static walker *const own = new walker;
        return *own;
    }

    void start(int argc, char **argv);
    bool reached(const benchmark &own);
    std::uint64_t begin();
    std::uint64_t batch(std::uint64_t ns);
    void end(bool has_failed);
    void lose(const std::string &part, const std::string &file, const std::string &message);
    void remark(const std::string &text) { remarks_.emplace(text, false); }
    void program_ended(const std::string &why);
    std::string own_name() const;
    bool begin_unmeasured(const std::string &name);
    void end_unmeasured();
    bool is_near(const std::string &part) const {
        return purpose_ == purpose::list || (purpose_ == purpose::seek && name_.compare(0, part.size(), part) == 0);
    }

  private:
    walker() : talk_(), message_(), turn_(), opened_() {
        opened_.empty = run_empty;
        turn_.opened = &opened_;
    }

    static void crashed(int signal);
    void execute();
    bool take_over();
    void next_walk();
    bool starts_walk();
    void seek();
    bool is_wanted(const benchmark &own) const;
    void add_case(const benchmark &own, unsigned at);
    void add_list();
    bool await();
    bool read();
    std::uint64_t wanted() const;
    static std::uint64_t run_empty(void *self, std::uint64_t iterations, double *ops);
    [[noreturn]] void leave() const;
    [[noreturn]] void start_again();

    derny_conversation talk_;
    derny_message message_;
    derny_turn turn_;
    derny_opened opened_;
    std::vector<std::string> words_;
    /// True if the user gave no arguments, so that `words_for` provides them.
    bool has_own_words_ = false;
    /// Id of this process. The program may fork others.
    pid_t process_ = getpid();
    program::remarks remarks_;
    purpose purpose_ = purpose::run_once;
    /// Whether a case was opened in this conversation, and in this process. If one was opened in this
    /// process, a benchmark that is not reached may have been reached before.
    bool was_opened_ = false, has_passed_ = false;

    /// All benchmarks of the walk so far, with the number of times that each has occurred.
    std::map<std::string, unsigned> seen_;
    std::vector<benchmark> list_;
    std::string lost_;

    /// Name, parameters and position of the benchmark to find. 0 is the first one with this name.
    std::string name_;
    std::map<std::string, std::string> params_;
    std::uint64_t at_ = 0;

    /// Names of benchmarks that crash when called, one per line, and the name of the current one.
    std::string crashing_, called_;
    std::map<int, struct sigaction> handlers_;

    benchmark case_;
    work work_ = work::none;
    bool is_open_ = false, is_closing_ = false;
};

void note_failure(const std::string &message, bool is_skip);

/// Returns a key for a benchmark's name and parameters.
std::string key_of(const benchmark &own) {
    std::string key = own.name;
    for (const auto &each : own.params) key += '\n' + each.first + '=' + each.second;
    return key;
}

/// Ends the process without destroying the user's static objects, because threads may still use
/// them.
void walker::leave() const {
    fflush(nullptr);
    _exit(talk_.status);
}

/// Starts the program again in this process. Returns only if that fails.
void walker::execute() {
    std::vector<char *> argv;
    for (std::string &word : words_) argv.push_back(&word[0]);
    argv.push_back(nullptr);
    execv("/proc/self/exe", argv.data());
    execvp(argv[0], argv.data());
}

/// Starts the program again in this process. The new program handles the command that was just read.
void walker::start_again() {
    derny_buffer rest = {nullptr, 0, 0};
    if (has_own_words_) {
        const std::vector<std::string> more = words_for(purpose_ == purpose::seek ? name_ : "");
        words_.resize(1);
        words_.insert(words_.end(), more.begin(), more.end());
    }
    derny_add_format(&rest, "%d,%d,%d,%d,%s", talk_.streams.replies, talk_.streams.commands, was_opened_ ? 1 : 0,
                     has_own_words_ ? 1 : 0, message_.verb);
    for (std::size_t i = 0; i < message_.count; i++) derny_field(&rest, message_.pairs[i].key, message_.pairs[i].value);
    derny_add(&rest, "\n");
    derny_add_bytes(&rest, talk_.streams.bytes + talk_.streams.begin, talk_.streams.end - talk_.streams.begin);
    setenv("DERNY_WALK", rest.bytes, 1);
    setenv("DERNY_WALK_CRASHING", crashing_.c_str(), 1);
    fcntl(talk_.streams.replies, F_SETFD, 0);
    fcntl(talk_.streams.commands, F_SETFD, 0);
    fflush(nullptr);
    execute();
    derny_end_fatally(&talk_, "the program cannot be started again", strerror(errno));
    leave();
}

/// Takes over the conversation from the previous process. Returns false if there was none.
bool walker::take_over() {
    const char *const given = getenv("DERNY_WALK");
    int size = 0, was_opened = 0, has_own_words = 0;
    if (given == nullptr) return false;
    memset(&talk_.streams, 0, sizeof talk_.streams);
    sscanf(given, "%d,%d,%d,%d,%n", &talk_.streams.replies, &talk_.streams.commands, &was_opened, &has_own_words, &size);
    was_opened_ = was_opened != 0;
    has_own_words_ = has_own_words != 0;
    talk_.streams.bytes = static_cast<char *>(derny_allocate(nullptr, DERNY_LINE));
    talk_.streams.end = strlen(given + size);
    memcpy(talk_.streams.bytes, given + size, talk_.streams.end);
    fcntl(talk_.streams.replies, F_SETFD, FD_CLOEXEC);
    fcntl(talk_.streams.commands, F_SETFD, FD_CLOEXEC);
    const char *const crashing = getenv("DERNY_WALK_CRASHING");
    crashing_ = crashing != nullptr ? crashing : "";
    unsetenv("DERNY_WALK");
    unsetenv("DERNY_WALK_CRASHING");
    return true;
}

void walker::start(int argc, char **argv) {
    words_.assign(argv, argv + argc);
    derny_turns.build = {"cpp", DERNY_RUNTIME, DERNY_COMPILER, DERNY_INSTRUMENTED, false, true};
    if (take_over()) {
        // Answer the command that the previous process passed on.
        const char *line = derny_read_line(&talk_.streams, &talk_.why);
        if (line == nullptr || !derny_parse(line, &message_, &talk_.why)) leave();
        if (!starts_walk()) next_walk();
        return;
    }
    const int is_open = derny_open_streams(&talk_.streams);
    if (is_open < 0) _exit(2);
    if (is_open == 0) {
        fputs("derny: this program was built for `derny run`; without it, each benchmark runs once\n", stderr);
        return;
    }
    derny_add_hello(&talk_.answer);
    next_walk();
    has_own_words_ = words_.size() == 1 && words_for != nullptr;
    if (has_own_words_) start_again();
}

bool walker::begin_unmeasured(const std::string &name) {
    if (("\n" + crashing_).find("\n" + name + "\n") != std::string::npos) return false;
    if (purpose_ == purpose::run_once) return true;
    called_ = name;
    struct sigaction own = {};
    own.sa_handler = crashed;
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(each, &own, &handlers_[each]);
    return true;
}

void walker::end_unmeasured() {
    for (const auto &each : handlers_) sigaction(each.first, &each.second, nullptr);
    handlers_.clear();
}

void walker::crashed(int signal) {
    walker &own = get();
    sigset_t all;
    own.end_unmeasured();
    sigemptyset(&all);
    sigaddset(&all, signal);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    own.crashing_ += own.called_ + "\n";
    own.start_again();
}

/// Prepares the walk for a command that needs one, and returns true. Answers any other command, and
/// returns false.
bool walker::starts_walk() {
    const std::string verb = message_.verb;
    if (verb == "list" && !was_opened_) {
        purpose_ = purpose::list;
        list_.clear();
        return true;
    }
    if (verb == "open" && derny_value(&message_, "benchmark") != nullptr) {
        seek();
        return true;
    }
    if (verb == "list") derny_add(&talk_.why, "list: only allowed before the first open");
    else if (verb == "open") derny_add(&talk_.why, "open: the key benchmark is missing");
    else if (verb == "close" || verb == "check" || verb == "measure" || verb == "overhead") {
        derny_add_format(&talk_.why, "%s: no case is open", verb.c_str());
    } else {
        derny_unsupported(&talk_, verb.c_str());
    }
    return false;
}

void walker::seek() {
    const char *const at = derny_value(&message_, "at");
    purpose_ = purpose::seek;
    name_ = derny_value(&message_, "benchmark");
    params_.clear();
    for (std::size_t i = 0; i < message_.count; i++) {
        const derny_pair &pair = message_.pairs[i];
        if (strncmp(pair.key, "p.", 2) == 0) params_[pair.key + 2] = pair.value;
    }
    if (at == nullptr || !derny_read_integer(at, &at_)) at_ = 0;
}

/// Answers commands until one starts a walk. Ends the process if none does.
void walker::next_walk() {
    while (derny_next(&talk_, &message_)) {
        if (starts_walk()) return;
    }
    purpose_ = purpose::end;
    leave();
}

bool walker::is_wanted(const benchmark &own) const {
    if (own.name != name_ || own.params.size() != params_.size()) return false;
    for (const auto &each : own.params) {
        const auto found = params_.find(each.first);
        if (found == params_.end() || found->second != each.second) return false;
    }
    return true;
}

bool walker::reached(const benchmark &own) {
    const unsigned at = ++seen_[key_of(own)];
    switch (purpose_) {
    case purpose::run_once: return true;
    case purpose::list: list_.push_back(own); return false;
    case purpose::seek: break;
    case purpose::measure: // a benchmark in the body of another one
    case purpose::end: return false;
    }
    if (!is_wanted(own) || (at_ > 0 && at != at_)) return false;
    purpose_ = purpose::measure;
    case_ = own;
    work_ = work::none;
    is_open_ = is_closing_ = false;
    derny_turns.all_ops = 0;
    derny_forget_reported();
    return true;
}

std::uint64_t walker::wanted() const {
    const std::uint64_t scale = case_.count > 0 ? case_.count : 1;
    return (work_ == work::measure ? turn_.order.iterations : 1) * scale;
}

std::uint64_t walker::begin() {
    if (purpose_ != purpose::measure) return 1;
    was_opened_ = has_passed_ = is_open_ = true;
    program::tell(remarks_, &talk_.answer);
    derny_add(&talk_.answer, "opened");
#ifdef __linux__
    const long thread = syscall(SYS_gettid);
    if (thread != getpid()) derny_integer_field(&talk_.answer, "thread", static_cast<std::uint64_t>(thread));
#endif
    return await() ? wanted() : 0;
}

std::uint64_t walker::batch(std::uint64_t ns) {
    if (purpose_ != purpose::measure || work_ == work::none) return 0;
    if (work_ == work::check) {
        derny_turns.all_ops += 1;
        derny_add(&talk_.answer, "checked");
    } else {
        if (derny_end_batch(&turn_, ns, static_cast<double>(turn_.order.iterations))) return wanted();
        derny_close_turn(&turn_, &talk_.answer);
    }
    work_ = work::none;
    return await() ? wanted() : 0;
}

/// Answers commands until one requests iterations. Returns false if the case is closed.
bool walker::await() {
    while (derny_next(&talk_, &message_)) {
        if (read()) return true;
        if (is_closing_) return false;
    }
    purpose_ = purpose::end;
    leave();
}

/// Handles one command while a case is open. Returns true if it requests iterations.
bool walker::read() {
    derny_buffer *const why = &talk_.why;
    const std::string verb = message_.verb;
    if (verb == "close") {
        is_closing_ = true;
    } else if (!is_open_) {
        derny_add_format(why, "%s: the benchmark has ended", verb.c_str());
    } else if (verb == "check") {
        work_ = work::check;
        return true;
    } else if (verb == "measure") {
        turn_.is_overhead = false;
        if (!derny_read_measure(&message_, &turn_.order, why)) return false;
        derny_begin_turn(&turn_);
        work_ = work::measure;
        return true;
    } else if (verb == "overhead") {
        derny_request request = {turn_, &talk_.answer};
        opened_.self = &case_;
        if (derny_read_turn(&message_, &request.turn.order, why)) derny_overhead(&request);
    } else if (verb == "open" || verb == "list") {
        derny_add_format(why, "%s: a case is open already", verb.c_str());
    } else {
        derny_unsupported(&talk_, verb.c_str());
    }
    return false;
}

/// Runs the same loop as benchmarks, with an empty body.
std::uint64_t walker::run_empty(void *self, std::uint64_t iterations, double *ops) {
    const std::uint64_t scale = static_cast<benchmark *>(self)->count;
    std::uint64_t left = iterations * (scale > 0 ? scale : 1);
    *ops = static_cast<double>(iterations);
    const std::uint64_t start = derny_now_ns();
    while (left-- > 0) __asm__ __volatile__("" : : : "memory");
    return derny_now_ns() - start;
}

void walker::end(bool has_failed) {
    if (purpose_ != purpose::measure) return;
    const bool was_open = is_open_, was_closing = is_closing_;
    is_open_ = false;
    if (has_failed || !was_closing) {
        if (!has_failed) note_failure("the benchmark ended before it was closed", false);
        derny_add_failure(&talk_.answer);
        work_ = work::none;
        if (was_open && !was_closing) {
            await();
            derny_add(&talk_.answer, "closed");
        }
    } else {
        derny_add_closed(&talk_.answer);
    }
    next_walk();
}

void walker::add_case(const benchmark &own, unsigned at) {
    derny_buffer *const line = &talk_.answer;
    derny_add(line, "case");
    derny_field(line, "benchmark", own.name.c_str());
    for (const auto &each : own.params) derny_field(line, ("p." + each.first).c_str(), each.second.c_str());
    const double ops = own.ops * static_cast<double>(own.count > 0 ? own.count : 1);
    if (ops != 1) {
        derny_add(line, " ops=");
        derny_add_number(line, ops);
    }
    if (!own.unit.empty()) derny_field(line, "unit", own.unit.c_str());
    if (own.count > 0) derny_add(line, " max_iterations=1");
    if (!own.file.empty()) derny_field(line, "file", own.file.c_str());
    if (own.line > 0) derny_integer_field(line, "line", own.line);
    if (at > 0) derny_integer_field(line, "at", at);
    // Each case needs its own process, because earlier actions of the program affect it.
    derny_add(line, " isolate=1\n");
}

void walker::add_list() {
    const program::files own;
    std::map<std::string, unsigned> places;
    for (const benchmark &each : list_) {
        const std::string key = key_of(each);
        const unsigned at = ++places[key];
        if (own.has(each.file)) add_case(each, seen_[key] > 1 ? at : 0);
    }
    derny_add(&talk_.answer, lost_.c_str());
    derny_add(&talk_.answer, "end");
}

void walker::lose(const std::string &part, const std::string &file, const std::string &message) {
    derny_buffer line = {nullptr, 0, 0};
    if (purpose_ == purpose::seek) {
        lost_ = message;
        return;
    }
    if (purpose_ != purpose::list || !program::files().has(file)) return;
    derny_add(&line, "case");
    derny_field(&line, "benchmark", part.c_str());
    derny_cut_field(&line, "error", message.c_str(), DERNY_MESSAGE);
    derny_add(&line, "\n");
    lost_ += line.bytes;
    derny_release(&line);
}

/// Answers the command of the walk when the program has ended. Then serves the next walk in a new
/// process. Returns only if the engine has ended.
void walker::program_ended(const std::string &why) {
    if (getpid() != process_) return;
    switch (purpose_) {
    case purpose::run_once:
    case purpose::end: return;
    case purpose::list:
        if (!why.empty()) lose(own_name(), "", why);
        add_list();
        break;
    case purpose::seek:
        if (has_passed_) start_again();
        if (!why.empty()) lost_ = why;
        if (lost_.empty()) lost_ = "open: there is no benchmark " + name_;
        derny_add_error(&talk_.answer, lost_.c_str(), nullptr);
        break;
    case purpose::measure:
        note_failure(why.empty() ? "the program ended inside the benchmark" : why, false);
        end(true);
        start_again();
    }
    next_walk();
    start_again();
}

std::string walker::own_name() const { return words_.empty() ? "program" : words_[0].substr(words_[0].rfind('/') + 1); }

/// Records why the running case has failed. Without a message, records the exception being handled.
void note_failure(const std::string &message, bool is_skip) {
#ifdef DERNY_HAS_EXCEPTIONS
    if (message.empty() && std::current_exception()) {
        detail::record(nullptr);
        return;
    }
#endif
    derny_forget_failure();
    derny_failure.has_failed = !is_skip;
    derny_failure.has_skipped = is_skip;
    derny_add(&derny_failure.message, message.empty() ? "an exception ended the benchmark" : message.c_str());
}

std::terminate_handler users_handler;

[[noreturn]] void terminated() {
    note_failure(std::current_exception() ? "" : "std::terminate was called", false);
    walker::get().program_ended(derny_failure.message.bytes);
    if (users_handler != nullptr) users_handler();
    abort();
}

void exited() { walker::get().program_ended(""); }

/// Runs before `main`. The C library passes the command line to constructors.
__attribute__((__constructor__)) void start(int argc, char **argv) {
    users_handler = std::set_terminate(terminated);
    atexit(exited);
    walker::get().start(argc, argv);
}

} // namespace

bool reached(const benchmark &own) { return walker::get().reached(own); }
std::uint64_t begin() { return walker::get().begin(); }
std::uint64_t batch(std::uint64_t ns) { return walker::get().batch(ns); }
void end() { walker::get().end(false); }
void fail(const std::string &message) {
    note_failure(message, false);
    walker::get().end(true);
}
void skip(const std::string &reason) {
    note_failure(reason, true);
    walker::get().end(true);
}
bool begin_unmeasured(const std::string &name) { return walker::get().begin_unmeasured(name); }
void end_unmeasured() { walker::get().end_unmeasured(); }
bool is_near(const std::string &part) { return walker::get().is_near(part); }
void remark(const std::string &text) { walker::get().remark(text); }
void lose(const std::string &part, const std::string &file, const std::string &message) { walker::get().lose(part, file, message); }

} // namespace walk
} // namespace derny
