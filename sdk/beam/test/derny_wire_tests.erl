-module(derny_wire_tests).
-include_lib("eunit/include/eunit.hrl").

what_was_encoded_is_decoded_test() ->
    Ascii = list_to_binary(lists:seq(0, 127)),
    Text = <<Ascii/binary, "é✓"/utf8>>,
    Encoded = derny_wire:encode(Text),
    ?assertEqual(Text, derny_wire:decode(Encoded)),
    [?assertEqual(nomatch, binary:match(Encoded, <<Byte>>)) || Byte <- [$\s, $=, $\n, 0, 127]],
    ?assertEqual(<<"a%20b%25">>, derny_wire:encode("a b%")),
    ?assertEqual(<<"aB">>, derny_wire:decode(<<"%61%42">>)).

malformed_lines_are_refused_test() ->
    [?assertThrow(_, derny_wire:parse(Line)) || Line <- [
        <<"open benchmark">>, <<"open  a=b">>, <<"open a=b=c">>, <<"open =b">>, <<"open a=%2">>, <<"open a=%GG">>, <<"open a=1 a=2">>]].

fields_test() ->
    Message = derny_wire:parse(<<"list p.n=1,2%2C3 p.x%3D=a colour=blue n=12">>),
    ?assertEqual([{<<"n">>, [<<"1">>, <<"2,3">>]}, {<<"x=">>, [<<"a">>]}], derny_wire:lists(Message)),
    ?assertEqual(<<"blue">>, derny_wire:get(<<"colour">>, Message)),
    ?assertEqual(12, derny_wire:integer(<<"n">>, Message)),
    ?assertEqual(undefined, derny_wire:get(<<"none">>, Message)),
    ?assertThrow(_, derny_wire:needed(<<"none">>, Message)),
    [?assertThrow(_, derny_wire:integer(<<"n">>, derny_wire:parse(<<"measure n=", Text/binary>>))) || Text <- [<<"-1">>, <<"many">>, <<>>, <<"1.5">>]].

fields_are_spelt_test() ->
    Line = derny_wire:line("case", [derny_wire:field("a", true), derny_wire:field("b", false), derny_wire:field("c", 1.5),
                                    derny_wire:items("d", ["x,y", "z"]), derny_wire:items("e", [])]),
    ?assertEqual(<<"case a=1 c=1.5 d=x%2Cy,z">>, Line),
    ?assertThrow(_, derny_wire:line("case", [lists:duplicate(65536, $x)])).

errors_are_cut_at_whole_characters_test() ->
    Line = iolist_to_binary(derny_wire:failure(lists:duplicate(3000, $é), lists:duplicate(9000, $✓))),
    {_, [{<<"message">>, Message}, {<<"detail">>, Detail}]} = derny_wire:parse(Line),
    ?assertEqual(4096, byte_size(Message)),
    ?assertEqual(16383, byte_size(Detail)),
    ?assert(is_list(unicode:characters_to_list(Message))).

bytes_that_are_no_text_are_not_lost_test() ->
    ?assertEqual(<<"ÿ"/utf8>>, derny_wire:encode(<<255>>)).

%% A FIFO is opened as a port, like an inherited pipe. Its reader returns after each line, and a waiting
%% process blocks no other process.
fifos_are_ports_test() ->
    Folder = filename:join("/tmp", "derny-wire-" ++ os:getpid()),
    ok = file:make_dir(Folder),
    Paths = [Commands, Replies] = [filename:join(Folder, Name) || Name <- ["commands", "replies"]],
    "" = os:cmd(lists:join(" ", ["mkfifo" | Paths])),
    Script = "exec 3<>commands 4<>replies; read line <&4; printf 'one\\ntwo\\n' >&3; read line <&4; echo \"$line\"",
    Engine = open_port({spawn_executable, "/bin/sh"}, [{args, ["-c", Script]}, {cd, Folder}, {line, 100}]),
    [os:putenv(Name, Path) || {Name, Path} <- [{"DERNY_COMMANDS", Commands}, {"DERNY_REPLIES", Replies}]],
    #{reader := Reader} = Streams = derny_wire:open(),
    ok = file:del_dir_r(Folder),
    ?assertMatch({port, _, _}, Reader),
    erlang:garbage_collect(),
    derny_wire:send(Streams, ["hello"]),
    ?assertEqual(<<"one">>, derny_wire:read(Streams)),
    ?assertEqual(<<"two">>, derny_wire:read(Streams)),
    derny_wire:send(Streams, ["first", "second"]),
    ?assertEqual("first", receive {Engine, {data, {eol, Line}}} -> Line after 10000 -> nothing end),
    ?assertEqual(eof, derny_wire:read(Streams)).
