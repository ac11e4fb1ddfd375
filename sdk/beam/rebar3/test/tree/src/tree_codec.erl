-module(tree_codec).
-export([encode/1, decode/1]).
-include("tree.hrl").

encode(Words) -> lists:join(?SEPARATOR, Words).

decode(Text) -> string:lexemes(Text, [?SEPARATOR]).
