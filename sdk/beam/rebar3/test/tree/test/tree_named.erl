%% A benchmark calls this module by a computed name.
-module(tree_named).
-export([found/0]).

found() -> true.
