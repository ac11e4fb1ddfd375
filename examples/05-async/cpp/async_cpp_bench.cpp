#include <derny.hpp>

#include <fstream>
#include <future>
#include <sstream>
#include <string>

static std::string read_some() {
    std::ifstream file(__FILE__);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

DERNY_SUITE(suite) {
    suite.group("read", [](derny::suite &group) {
        group.bench("here", read_some);

        // Reads in another thread. The time includes starting the thread and waiting for it.
        group.bench("elsewhere", [] { return std::async(std::launch::async, read_some).get(); });
    });

    // Measures the cost of starting a thread and waiting for it.
    suite.bench("thread", [] { return std::async(std::launch::async, [] { return 1; }).get(); });

    // Several threads call this body at the same time.
    suite.define("read by several").param("threads", {1, 2}).threads([](const derny::params &p) {
        return p.get<int>("threads");
    }).run(read_some);
}

DERNY_MAIN();
