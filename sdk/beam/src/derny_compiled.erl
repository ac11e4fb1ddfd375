%% Cache of compiled code. Loading the compiler takes about as long as starting the BEAM, and a harness
%% process would use it for only a few milliseconds. Code is stored beside the compiled harness, so that it
%% belongs to one version of the harness and the runtime.
-module(derny_compiled).
-export([binary/2, binary/3, of_file/2, folder/0]).

%% @doc Returns the code that Compile makes from Source, compiling it at most once. The code must depend on
%% Source only.
-spec binary(Source :: term(), fun(() -> binary())) -> binary().
binary(Source, Compile) ->
    case place(Source) of
        none -> Compile();
        Place ->
            case file:read_file(Place) of
                {ok, Binary} -> Binary;
                {error, _} ->
                    Binary = Compile(),
                    keep(Place, Binary),
                    Binary
            end
    end.

%% @doc Like binary/2 if IsAll() returns true, which means that the code depends only on Source. Otherwise,
%% compiles the code each time.
-spec binary(Source :: term(), IsAll :: fun(() -> boolean()), fun(() -> binary())) -> binary().
binary(Source, IsAll, Compile) ->
    Place = place(Source),
    case Place =/= none andalso (filelib:is_regular(Place) orelse IsAll()) of
        true -> binary(Source, Compile);
        false -> Compile()
    end.

%% @doc Like binary/2 for an Erlang file. Code is not cached if the file includes others or uses parse
%% transforms, or if ERL_COMPILER_OPTIONS is set.
-spec of_file(file:filename(), fun(() -> binary())) -> binary().
of_file(File, Compile) ->
    case file:read_file(File) of
        {ok, Text} ->
            Source = {File, Text, erlang:system_info(otp_release)},
            binary(Source, fun() -> depends_on_itself(File) end, Compile);
        {error, _} -> Compile()
    end.

depends_on_itself(File) ->
    {ok, Forms} = epp:parse_file(File, []),
    Included = [Name || {attribute, _, file, {Name, _}} <- Forms, Name =/= File],
    Unread = [Error || {error, Error} <- Forms],
    Options = lists:flatten([Value || {attribute, _, compile, Value} <- Forms]),
    Included =:= [] andalso Unread =:= [] andalso not lists:keymember(parse_transform, 1, Options).

%% Returns the path of the stored code of Source, or none if the harness itself is not stored or
%% ERL_COMPILER_OPTIONS is set.
place(Source) ->
    case {folder(), os:getenv("ERL_COMPILER_OPTIONS")} of
        {Folder, false} when Folder =/= none ->
            Name = binary_to_list(binary:encode_hex(erlang:md5(term_to_binary(Source)))),
            filename:join([Folder, "compiled", Name ++ ".beam"]);
        _ -> none
    end.

%% @doc Returns the folder of the compiled harness of this version, or none if it is not stored.
-spec folder() -> file:filename() | none.
folder() ->
    Own = code:which(?MODULE),
    case is_list(Own) andalso filename:extension(Own) =:= ".beam" of
        true -> filename:dirname(filename:dirname(Own));
        false -> none
    end.

%% Stores code. Another process may store the same code at the same time. Code that cannot be stored is
%% compiled each time.
keep(Place, Binary) ->
    Draft = Place ++ "-" ++ os:getpid(),
    _ = filelib:ensure_dir(Place),
    case file:write_file(Draft, Binary) of
        ok -> _ = file:rename(Draft, Place);
        {error, _} -> _ = file:delete(Draft)
    end,
    ok.
