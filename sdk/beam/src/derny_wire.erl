%% Syntax of lines, and the two streams. Independent of verbs.
-module(derny_wire).
-export([decode/1, encode/1, field/2, items/2, line/2, parse/1, get/2, get/3, needed/2, integer/2, integer/3, values/1, lists/1,
         failure/2, failure/3, is_engine_there/0, open/0, attach/2, read/1, send/2, arrived/2]).
-export_type([message/0, streams/0]).

-include_lib("kernel/include/file.hrl").

-define(LIMIT, 65536).
-define(MESSAGE, 4096).
-define(DETAIL, 16384).

%% A command: its verb, its key, and the encoded fields in order.
-opaque message() :: {Verb :: binary(), [{Key :: binary(), Raw :: binary()}]}.
-opaque streams() :: #{reader := term(), writer := term()}.

%% @doc Text in which nothing separates words, fields or lines. A comma is kept: lists are made by items/2.
-spec encode(unicode:chardata()) -> binary().
encode(Text) ->
    << <<(escape(Byte))/binary>> || <<Byte>> <= utf8(Text) >>.

escape(Byte) when Byte =< $\s; Byte =:= $%; Byte =:= $=; Byte =:= 127 ->
    <<$%, (hex(Byte bsr 4)), (hex(Byte band 15))>>;
escape(Byte) -> <<Byte>>.

hex(Digit) when Digit < 10 -> $0 + Digit;
hex(Digit) -> $A - 10 + Digit.

utf8(Text) ->
    case unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes) -> Bytes;
        %% Bytes that are not UTF-8 are shown as Latin-1 rather than lost.
        _ -> unicode:characters_to_binary(iolist_to_binary(Text), latin1)
    end.

%% @doc Inverse of encode/1. Throws a sentence if malformed.
-spec decode(binary()) -> binary().
decode(Raw) ->
    case binary:match(Raw, <<"%">>) of
        nomatch -> Raw;
        _ -> decode(Raw, <<>>)
    end.

decode(<<$%, High, Low, Rest/binary>>, Done) ->
    decode(Rest, <<Done/binary, (digit(High) * 16 + digit(Low))>>);
decode(<<$%, _/binary>>, _) -> throw("malformed percent-encoding");
decode(<<Byte, Rest/binary>>, Done) -> decode(Rest, <<Done/binary, Byte>>);
decode(<<>>, Done) -> Done.

digit(C) when C >= $0, C =< $9 -> C - $0;
digit(C) when C >= $A, C =< $F -> C - $A + 10;
digit(C) when C >= $a, C =< $f -> C - $a + 10;
digit(_) -> throw("malformed percent-encoding").

%% @doc ` key=value'; empty for undefined, false or nil.
field(_, Absent) when Absent =:= undefined; Absent =:= false; Absent =:= nil -> [];
field(Key, true) -> field(Key, <<"1">>);
field(Key, Value) when is_integer(Value) -> field(Key, integer_to_binary(Value));
field(Key, Value) when is_float(Value) -> field(Key, float_to_binary(Value, [short]));
field(Key, Value) when is_atom(Value) -> field(Key, atom_to_binary(Value));
field(Key, Value) -> [$\s, encode(Key), $=, encode(Value)].

%% @doc A field whose value is a list; nothing for an empty list.
items(_, []) -> [];
items(Key, Items) ->
    Encoded = [binary:replace(encode(Item), <<",">>, <<"%2C">>, [global]) || Item <- Items],
    [$\s, encode(Key), $=, lists:join($,, Encoded)].

%% @doc A line, without its LF. Throws if it is too long.
line(Verb, Fields) ->
    Line = iolist_to_binary([Verb | Fields]),
    byte_size(Line) < ?LIMIT orelse throw(io_lib:format("~ts: the line is too long", [Verb])),
    Line.

%% @doc Parses a line. Throws a sentence if malformed.
-spec parse(binary()) -> message().
parse(Line) ->
    [Verb | Words] = binary:split(Line, <<" ">>, [global]),
    Fields = [part(Verb, Word) || Word <- Words],
    Keys = [Key || {Key, _} <- Fields],
    length(lists:usort(Keys)) =:= length(Keys) orelse throw([Verb, ": a key appears twice"]),
    {Verb, Fields}.

part(Verb, Word) ->
    case binary:split(Word, <<"=">>, [global]) of
        [Key, Raw] when Key =/= <<>> ->
            _ = decode(Raw),
            {decode(Key), Raw};
        _ -> throw([Verb, ": \"", Word, "\" is not a field"])
    end.

get(Key, Message) -> get(Key, Message, undefined).

get(Key, {_, Fields}, Otherwise) ->
    case lists:keyfind(Key, 1, Fields) of
        {_, Raw} -> decode(Raw);
        false -> Otherwise
    end.

needed(Key, {Verb, _} = Message) ->
    case get(Key, Message) of
        undefined -> throw([Verb, ": the key ", Key, " is missing"]);
        Text -> Text
    end.

integer(Key, Message, Otherwise) ->
    case get(Key, Message) of
        undefined -> Otherwise;
        _ -> integer(Key, Message)
    end.

integer(Key, {Verb, _} = Message) ->
    Text = needed(Key, Message),
    case Text =/= <<>> andalso byte_size(Text) =< 20 andalso << <<C>> || <<C>> <= Text, C >= $0, C =< $9 >> of
        Text -> binary_to_integer(Text);
        _ -> throw([Verb, ": ", Key, " must be a whole number, not \"", Text, "\""])
    end.

%% @doc The `p.NAME' fields: one value each.
-spec values(message()) -> [{binary(), binary()}].
values({_, Fields}) -> [{Name, decode(Raw)} || {<<"p.", Name/binary>>, Raw} <- Fields].

%% @doc The `p.NAME' fields: a list of values each.
-spec lists(message()) -> [{binary(), [binary()]}].
lists({_, Fields}) ->
    [{Name, [decode(Item) || Item <- binary:split(Raw, <<",">>, [global])]} || {<<"p.", Name/binary>>, Raw} <- Fields].

%% @doc The `error' line of a failure, truncated to the maximum length of a line.
failure(Message, Detail) -> failure(Message, Detail, []).

failure(Message, Detail, More) ->
    [<<"error">>, field("message", cut(Message, ?MESSAGE)), field("detail", Detail =/= undefined andalso cut(Detail, ?DETAIL)), More].

cut(Text, Limit) ->
    case utf8(Text) of
        <<Begin:Limit/binary, _, _/binary>> -> whole(Begin);
        Short -> Short
    end.

%% Without a character that the truncation has split.
whole(Bytes) ->
    case unicode:characters_to_binary(Bytes) of
        {_, Whole, _} -> Whole;
        Whole -> Whole
    end.

%% ---- streams ----

-define(COMMANDS, "DERNY_COMMANDS").
-define(REPLIES, "DERNY_REPLIES").

%% @doc Whether an engine is at the other end. Throws if only one of the two streams is named.
is_engine_there() ->
    Named = fun(Name) -> not lists:member(os:getenv(Name), [false, ""]) end,
    case {Named(?COMMANDS), Named(?REPLIES)} of
        {Same, Same} -> Same;
        _ -> throw("only one of " ?COMMANDS " and " ?REPLIES " is set")
    end.

%% @doc Opens both streams, replies first, and removes their names from the environment. The calling process
%% owns them.
-spec open() -> streams().
open() ->
    [Replies, Commands] = [os:getenv(Name) || Name <- [?REPLIES, ?COMMANDS]],
    [os:unsetenv(Name) || Name <- [?REPLIES, ?COMMANDS]],
    Writer = writer(Replies),
    #{writer => Writer, reader => reader(Commands)}.

%% @doc Starts an engine whose standard streams are the conversation. The calling process owns them.
-spec attach(Engine :: string(), [string()]) -> streams().
attach(Engine, Arguments) ->
    Port = open_port({spawn_executable, Engine}, [{args, Arguments}, binary, exit_status, {line, ?LIMIT - 1}]),
    #{writer => {port, Port, Engine}, reader => {port, Port, Engine}}.

%% A raw file blocks on a pipe until its buffer is full, so that the descriptor of a pipe is a port: an inherited one is used as
%% it is, and a FIFO is opened first. The runtime starts other programs through a process of its own that has closed all
%% descriptors but theirs.
writer("/dev/stdout") -> {io, user};
writer("/dev/fd/1") -> {io, user};
writer("/dev/fd/" ++ Number) -> output(list_to_integer(Number));
writer(Path) -> opened(Path, append, fun output/1).

reader("/dev/stdin") -> standard_input();
reader("/dev/fd/0") -> standard_input();
reader("/dev/fd/" ++ Number) -> input(list_to_integer(Number));
reader(Path) -> opened(Path, read, fun input/1).

output(Fd) -> {port, open_port({fd, Fd, Fd}, [out, binary]), Fd}.

input(Fd) -> {port, open_port({fd, Fd, Fd}, [in, binary, eof, {line, ?LIMIT - 1}]), Fd}.

%% A port of a FIFO. Other files, such as those of users or tests, are read and written directly.
opened(Path, Mode, Port) ->
    File = file(Path, [Mode]),
    case {file:read_file_info(Path), descriptor(File)} of
        {{ok, #file_info{type = other}}, Fd} when is_integer(Fd) ->
            %% The file is kept with its port: the runtime closes an unreferenced file.
            setelement(3, Port(Fd), File);
        _ -> {file, File}
    end.

%% The descriptor of a raw file, which the runtime passes to its own parts only. Without it a FIFO is read
%% byte by byte.
descriptor(#file_descriptor{module = prim_file} = File) ->
    try prim_file:get_handle(File) of
        <<Fd:32/native-signed>> -> Fd;
        _ -> undefined
    catch
        error:_ -> undefined
    end;
descriptor(_) -> undefined.

%% The runtime reads it itself, unless told not to: then it reports that there is none.
standard_input() ->
    case init:get_argument(noinput) of
        {ok, _} -> input(0);
        error ->
            ok = io:setopts(user, [binary, {encoding, latin1}]),
            {io, user}
    end.

%% `device' permits other than regular files.
file(Path, Modes) ->
    case file:open(Path, [raw, binary, device | Modes]) of
        {ok, Fd} -> Fd;
        {error, Reason} -> throw([Path, " cannot be opened: ", file:format_error(Reason)])
    end.

%% @doc The next line, or eof once the engine has gone. Throws a sentence if the conversation cannot continue.
-spec read(streams()) -> binary() | eof.
read(#{reader := {port, Port, _}}) ->
    receive
        {Port, _} = Arrived -> arrived(Arrived, Port)
    end;
read(#{reader := {io, Device}}) ->
    case io:get_line(Device, "") of
        Line when is_binary(Line) -> checked(without_end(Line));
        _ -> eof
    end;
read(#{reader := {file, Fd}}) -> read_file(Fd, <<>>).

%% @doc The content of a message from the commands' port.
arrived({Port, {data, {eol, Line}}}, Port) -> checked(Line);
arrived({Port, {data, {noeol, _}}}, Port) -> throw("a line of more than 65536 bytes");
arrived({Port, eof}, Port) -> eof;
arrived({Port, {exit_status, _}}, Port) -> eof.

without_end(Line) -> string:trim(Line, trailing, "\r\n").

%% Byte by byte, since a larger read would wait; such a stream is a user's, or a test's.
read_file(_, Line) when byte_size(Line) >= ?LIMIT -> throw("a line of more than 65536 bytes");
read_file(Fd, Line) ->
    case file:read(Fd, 1) of
        {ok, <<"\n">>} -> checked(Line);
        {ok, Byte} -> read_file(Fd, <<Line/binary, Byte/binary>>);
        _ -> eof
    end.

checked(Line) ->
    case unicode:characters_to_binary(Line) of
        Line -> Line;
        _ -> throw("a line that is not UTF-8")
    end.

%% @doc Writes whole lines at once; each without LF.
send(#{writer := Writer}, Lines) ->
    Bytes = [[Line, $\n] || Line <- Lines],
    case Writer of
        %% It is closed if the engine has gone, which the reader will notice.
        {port, Port, _} -> try port_command(Port, Bytes) catch error:badarg -> false end;
        {io, Device} -> file:write(Device, Bytes);
        {file, Fd} -> file:write(Fd, Bytes)
    end.
