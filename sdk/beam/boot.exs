# Elixir runs this file as `elixir boot.exs FILE`, unless boot.exs.script has already taken over, and as
# `elixir boot.exs --benchee FILE ARGUMENTS` for a Benchee script. It compiles the Elixir layer once for each
# version of its sources and of the runtime, and keeps the compiled code in the cache, or in memory if the
# cache is not writable.
{:ok, mark} = :file.script(~c"#{__DIR__}/boot.script", Sdk: String.to_charlist(__DIR__))
{files, ebin} = :derny_elixir.layer(String.to_charlist(__DIR__))
files = Enum.map(files, &to_string/1)
# Our modules may have the same names as modules that are on the code path.
Code.put_compiler_option(:ignore_module_conflict, true)

cond do
  ebin == :none ->
    {:ok, _, _} = Kernel.ParallelCompiler.compile(files)

  not File.dir?(ebin) ->
    draft = "#{ebin}-#{System.pid()}"

    case File.mkdir_p(draft) do
      :ok ->
        {:ok, _, _} = Kernel.ParallelCompiler.compile_to_path(files, draft)
        # Another process may have published an identical copy first.
        File.rename(draft, ebin)
        File.rm_rf!(draft)

      _ ->
        {:ok, _, _} = Kernel.ParallelCompiler.compile(files)
    end

  true ->
    :ok
end

if ebin != :none, do: Code.prepend_path(ebin)
Code.put_compiler_option(:ignore_module_conflict, false)

case System.argv() do
  ["--benchee", file | arguments] -> Derny.Benchee.main(file, arguments, mark)
  [file] -> Derny.Boot.main(file, mark)
end
