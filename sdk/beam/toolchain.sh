# Requirements and lessons of Erlang and Elixir. scripts/setup.sh and scripts/demo.sh source this
# file and explain its functions.
# shellcheck shell=bash
has_erlang() { # including the applications that its tests need
    command -v erl >/dev/null && erl -noinput -eval \
        'halt(case list_to_integer(erlang:system_info(otp_release)) >= 25 andalso is_list(code:lib_dir(eunit)) andalso is_list(code:lib_dir(tools)) of true -> 0; false -> 1 end).'
}
has_elixir() { command -v elixir >/dev/null; }
need "Erlang/OTP 25 or later" has_erlang 25 "erlang-base erlang-dev erlang-eunit erlang-parsetools erlang-crypto erlang-tools" \
    "type: apt-get install erlang-base erlang-eunit   (or see https://www.erlang.org/downloads)"
need "Elixir 1.14 or later" has_elixir 1.14 "elixir" \
    "type: apt-get install elixir   (or see https://elixir-lang.org/install.html)"

lessons Erlang erl 10 examples/0[12]-*/bench_*.erl
lessons Elixir "erl elixir" 10 examples/0[12]-*/*_bench.exs
