#include "words.h"

std::vector<std::string> make_words(int count) {
    std::vector<std::string> words;
    for (int i = 0; i < count; i++) words.push_back("word" + std::to_string(i));
    return words;
}

std::string join(const std::vector<std::string> &words) {
    std::string text;
    for (const std::string &word : words) text += word + ' ';
    return text;
}
