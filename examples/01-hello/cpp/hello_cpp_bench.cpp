#include <derny.hpp>

#include <string>
#include <vector>

static std::vector<std::string> make_words() {
    std::vector<std::string> words;
    for (int i = 0; i < 100; i++) words.push_back("word" + std::to_string(i));
    return words;
}

static const std::vector<std::string> words = make_words();

DERNY_SUITE(suite) {
    suite.bench("join", [] {
        std::size_t size = words.size();
        for (const std::string &word : words) size += word.size();
        std::string text;
        text.reserve(size);
        for (const std::string &word : words) text.append(word).append(1, ' ');
        return text;
    });

    suite.bench("concatenate", [] {
        std::string text;
        for (const std::string &word : words) text = text + " " + word;
        return text;
    });
}

DERNY_MAIN();
