#pragma once
#include <string>
#include <vector>

std::vector<std::string> make_words(int count);
std::string join(const std::vector<std::string> &words);
