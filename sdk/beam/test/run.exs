# Runs the ExUnit tests of this folder. The last line is `N passed, N failed`.
sdk = Path.dirname(__DIR__)
{:ok, _} = :file.script(~c"#{sdk}/boot.script", Sdk: String.to_charlist(sdk))
{:ok, _, _} = Kernel.ParallelCompiler.compile(Path.wildcard("#{sdk}/{lib,benchee}/**/*.ex"))
Derny.Program.take_charge()
# A slow machine needs more than the default timeout.
ExUnit.start(autorun: false, timeout: 600_000)
Code.require_file("conversation.exs", __DIR__)
for file <- Path.wildcard("#{__DIR__}/*_test.exs"), do: Code.require_file(file)
%{total: total, failures: failures} = ExUnit.run()
IO.puts("#{total - failures} passed, #{failures} failed")
if failures > 0, do: System.halt(1)
