%% Records coverage if the engine sets DERNY_COVER, the number of calls of the body per iteration. Instruments
%% the project's own modules. At the end of a case, writes the data where `rebar3 cover' reads it.
-module(derny_rebar3_cover).
-export([wrap/3]).

calls() ->
    case string:to_integer(os:getenv("DERNY_COVER", "")) of
        {Calls, ""} when is_integer(Calls), Calls > 0 -> Calls;
        _ -> 0
    end.

%% @doc Returns the benchmark unchanged, or one that records coverage.
-spec wrap(derny_registry:benchmark(), module(), {derny_rebar3_project:project(), file:filename()}) -> derny_registry:benchmark().
wrap(Benchmark, Module, Where) ->
    case calls() of
        0 -> Benchmark;
        Calls -> covered(Benchmark, Module, Where, Calls)
    end.

covered(Benchmark, Module, {Project, Build}, Calls) ->
    #{name := Name, body := {loop, Loop}, setup := Setup, teardown := Teardown} = Benchmark,
    Benchmark#{
        body := {loop, fun(N, Input) -> Loop(N * Calls, Input) end},
        setup := fun(Params) ->
            instrument(Project, Build),
            Setup(Params)
        end,
        teardown := fun(Input, Params) ->
            Teardown(Input, Params),
            write(Project, [atom_to_list(Module), $-, Name])
        end
    }.

%% Modules without debug information cannot be instrumented and run unchanged.
instrument(Project, Build) ->
    case code:ensure_loaded(cover) of
        {module, cover} -> ok;
        {error, _} -> throw("coverage needs Erlang's application `tools', which is not installed")
    end,
    _ = cover:start(),
    [cover:compile_beam(Beam) || Beam <- lists:uniq([Beam || Folder <- folders(Project, Build), Beam <- beams(Folder)])],
    ok.

beams(Folder) -> [filename:join(Folder, Name) || Name <- filelib:wildcard("*.beam", Folder)].

%% Returns the code folders of the project's own applications, without dependencies and tests.
folders(#{top := Top, app := App} = Project, Build) ->
    Names = [filename:basename(File, ".app.src") || File <- derny_rebar3_project:applications(Project)],
    Built = [Dir || Dir <- derny_rebar3_project:code_paths(Project), is_own(Dir, Names)],
    [filename:join(Build, "ebin"), filename:join(App, "ebin"), filename:join(Top, "ebin") | Built].

is_own(Dir, Names) ->
    case lists:reverse(filename:split(Dir)) of
        ["ebin", Name | _] -> lists:member(Name, Names);
        _ -> false
    end.

write(#{top := Top}, Name) ->
    Safe = [safe(C) || C <- unicode:characters_to_list(Name)],
    File = filename:join([Top, "_build", derny_rebar3_project:build_name(), "cover", "derny-" ++ Safe ++ ".coverdata"]),
    ok = filelib:ensure_dir(File),
    case cover:modules() of
        [] -> throw("coverage is not possible: no module of the project was compiled with debug information (compile with +debug_info)");
        _ -> ok = cover:export(File)
    end.

safe(C) when C =:= $/; C =:= $\\; C =:= $:; C < $\s -> $_;
safe(C) -> C.
