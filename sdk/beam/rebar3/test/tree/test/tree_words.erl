%% A benchmark calls this module, which is not compiled yet.
-module(tree_words).
-export([some/1]).

some(N) -> [integer_to_list(I) || I <- lists:seq(1, N)].
