%% Encodes and parses the lines of the protocol, and opens, reads and writes its two streams. The meaning of
%% verbs is defined elsewhere.
-module(derny_wire).
-export([decode/1, encode/1, field/2, items/2, line/2, parse/1, get/2, get/3, needed/2, integer/2, integer/3, values/1, lists/1,
         failure/2, failure/3, is_engine_there/0, open/0, attach/2, read/1, send/2, arrived/2]).
-export_type([message/0, streams/0]).

-include_lib("kernel/include/file.hrl").

-define(LIMIT, 65536).
-define(MESSAGE, 4096).
-define(DETAIL, 16384).

%% A command: its verb, and its fields in order, each with a key and an encoded value.
-opaque message() :: {Verb :: binary(), [{Key :: binary(), Raw :: binary()}]}.
-opaque streams() :: #{reader := term(), writer := term()}.

%% @doc Encodes text so that it contains no separator of words, fields or lines. It keeps commas,
%% which items/2 encodes within list items.
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
        %% Bytes that are not UTF-8 are decoded as Latin-1 so that no text is lost.
        _ -> unicode:characters_to_binary(iolist_to_binary(Text), latin1)
    end.

%% @doc Inverse of encode/1. Throws a message if the text is malformed.
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

%% @doc Returns ` key=value', or nothing if the value is undefined, false or nil.
field(_, Absent) when Absent =:= undefined; Absent =:= false; Absent =:= nil -> [];
field(Key, true) -> field(Key, <<"1">>);
field(Key, Value) when is_integer(Value) -> field(Key, integer_to_binary(Value));
field(Key, Value) when is_float(Value) -> field(Key, float_to_binary(Value, [short]));
field(Key, Value) when is_atom(Value) -> field(Key, atom_to_binary(Value));
field(Key, Value) -> [$\s, encode(Key), $=, encode(Value)].

%% @doc Returns a field whose value is a list, or nothing for an empty list.
items(_, []) -> [];
items(Key, Items) ->
    Encoded = [binary:replace(encode(Item), <<",">>, <<"%2C">>, [global]) || Item <- Items],
    [$\s, encode(Key), $=, lists:join($,, Encoded)].

%% @doc Returns a line without its line feed. Throws a message if it is too long.
line(Verb, Fields) ->
    Line = iolist_to_binary([Verb | Fields]),
    byte_size(Line) < ?LIMIT orelse throw(io_lib:format("~ts: the line is too long", [Verb])),
    Line.

%% @doc Parses a line. Throws a message if it is malformed.
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
        _ -> throw([Verb, ": \"", Word, "\" is not of the form key=value"])
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
        _ -> throw([Verb, ": ", Key, " must be an integer, not \"", Text, "\""])
    end.

%% @doc Returns the fields `p.NAME', with one value each.
-spec values(message()) -> [{binary(), binary()}].
values({_, Fields}) -> [{Name, decode(Raw)} || {<<"p.", Name/binary>>, Raw} <- Fields].

%% @doc Returns the fields `p.NAME', with a list of values each.
-spec lists(message()) -> [{binary(), [binary()]}].
lists({_, Fields}) ->
    [{Name, [decode(Item) || Item <- binary:split(Raw, <<",">>, [global])]} || {<<"p.", Name/binary>>, Raw} <- Fields].

%% @doc Returns the `error' line of a failure, truncated to the maximum length of a line.
failure(Message, Detail) -> failure(Message, Detail, []).

failure(Message, Detail, More) ->
    [<<"error">>, field("message", cut(Message, ?MESSAGE)), field("detail", Detail =/= undefined andalso cut(Detail, ?DETAIL)), More].

cut(Text, Limit) ->
    case utf8(Text) of
        <<Begin:Limit/binary, _, _/binary>> -> whole(Begin);
        Short -> Short
    end.

%% Removes a character that truncation has cut in two.
whole(Bytes) ->
    case unicode:characters_to_binary(Bytes) of
        {_, Whole, _} -> Whole;
        Whole -> Whole
    end.

%% ---- streams ----

-define(COMMANDS, "DERNY_COMMANDS").
-define(REPLIES, "DERNY_REPLIES").

%% @doc Returns true if an engine has started this program. Throws a message if only one of the two environment
%% variables is set.
is_engine_there() ->
    Named = fun(Name) -> not lists:member(os:getenv(Name), [false, ""]) end,
    case {Named(?COMMANDS), Named(?REPLIES)} of
        {Same, Same} -> Same;
        _ -> throw("only one of " ?COMMANDS " and " ?REPLIES " is set")
    end.

%% @doc Opens both streams, replies first, and unsets their environment variables. The calling process owns
%% the streams.
-spec open() -> streams().
open() ->
    [Replies, Commands] = [os:getenv(Name) || Name <- [?REPLIES, ?COMMANDS]],
    [os:unsetenv(Name) || Name <- [?REPLIES, ?COMMANDS]],
    Writer = writer(Replies),
    #{writer => Writer, reader => reader(Commands)}.

%% @doc Starts an engine whose standard streams carry the conversation. The calling process owns them.
-spec attach(Engine :: string(), [string()]) -> streams().
attach(Engine, Arguments) ->
    Port = open_port({spawn_executable, Engine}, [{args, Arguments}, binary, exit_status, {line, ?LIMIT - 1}]),
    #{writer => {port, Port, Engine}, reader => {port, Port, Engine}}.

%% Opens the stream of replies. Writing to a raw file blocks while the pipe's buffer is full, so the
%% descriptor becomes a port instead. An inherited descriptor is used directly, and a FIFO is opened first.
%% Child processes do not inherit the descriptor.
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

%% Opens a FIFO as a port. Regular files, which are used by hand or in tests, are read and written directly.
opened(Path, Mode, Port) ->
    File = file(Path, [Mode]),
    case {file:read_file_info(Path), descriptor(File)} of
        {{ok, #file_info{type = other}}, Fd} when is_integer(Fd) ->
            %% Keep the file with its port: the runtime closes a file that nothing refers to.
            setelement(3, Port(Fd), File);
        _ -> {file, File}
    end.

%% Returns the descriptor of a raw file by an internal interface of the runtime. Without it, a FIFO is read
%% byte by byte.
descriptor(#file_descriptor{module = prim_file} = File) ->
    try prim_file:get_handle(File) of
        <<Fd:32/native-signed>> -> Fd;
        _ -> undefined
    catch
        error:_ -> undefined
    end;
descriptor(_) -> undefined.

%% Without -noinput, the runtime reads standard input itself, so commands come from its process `user'. With
%% -noinput, that process reports the end of the input at once, so descriptor 0 is read directly.
standard_input() ->
    case init:get_argument(noinput) of
        {ok, _} -> input(0);
        error ->
            ok = io:setopts(user, [binary, {encoding, latin1}]),
            {io, user}
    end.

%% `device' allows files that are not regular.
file(Path, Modes) ->
    case file:open(Path, [raw, binary, device | Modes]) of
        {ok, Fd} -> Fd;
        {error, Reason} -> throw([Path, " cannot be opened: ", file:format_error(Reason)])
    end.

%% @doc Returns the next line, or eof at the end of the stream. Throws a message if the conversation cannot
%% continue.
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

%% @doc Returns the line in a message from the port of commands.
arrived({Port, {data, {eol, Line}}}, Port) -> checked(Line);
arrived({Port, {data, {noeol, _}}}, Port) -> throw("a line is longer than 65536 bytes");
arrived({Port, eof}, Port) -> eof;
arrived({Port, {exit_status, _}}, Port) -> eof.

without_end(Line) -> string:trim(Line, trailing, "\r\n").

%% Reads byte by byte, because a larger read would block. Only streams used by hand or in tests are read this
%% way.
read_file(_, Line) when byte_size(Line) >= ?LIMIT -> throw("a line is longer than 65536 bytes");
read_file(Fd, Line) ->
    case file:read(Fd, 1) of
        {ok, <<"\n">>} -> checked(Line);
        {ok, Byte} -> read_file(Fd, <<Line/binary, Byte/binary>>);
        _ -> eof
    end.

checked(Line) ->
    case unicode:characters_to_binary(Line) of
        Line -> Line;
        _ -> throw("a line is not valid UTF-8")
    end.

%% @doc Writes all lines in one operation. They must not end with line feeds, which are added.
send(#{writer := Writer}, Lines) ->
    Bytes = [[Line, $\n] || Line <- Lines],
    case Writer of
        %% The port is closed if the engine has ended, which the reader notices.
        {port, Port, _} -> try port_command(Port, Bytes) catch error:badarg -> false end;
        {io, Device} -> file:write(Device, Bytes);
        {file, Fd} -> file:write(Fd, Bytes)
    end.
