# What the engine starts for a file of Elixir: `elixir boot.exs FILE`. The layer is compiled once for each version of its sources and
# of the runtime, into the cache; where that cannot be written, into memory.
{:ok, mark} = :file.script(~c"#{__DIR__}/boot.script", Sdk: String.to_charlist(__DIR__))

files = Path.wildcard("#{__DIR__}/lib/**/*.ex")
texts = Enum.map(files, &File.read!/1)
key = Base.encode16(:erlang.md5([texts, System.version(), :erlang.system_info(:version)]))
ebin = :derny_main |> :code.which() |> to_string() |> Path.dirname() |> Path.join("../../#{key}/ebin") |> Path.expand()

unless File.dir?(ebin) do
  draft = "#{ebin}-#{System.pid()}"

  case File.mkdir_p(draft) do
    :ok ->
      {:ok, _, _} = Kernel.ParallelCompiler.compile_to_path(files, draft)
      # Another process may have been first: its copy is the same.
      File.rename(draft, ebin)
      File.rm_rf!(draft)

    _ ->
      {:ok, _, _} = Kernel.ParallelCompiler.compile(files)
  end
end

Code.prepend_path(ebin)
[file] = System.argv()
Derny.Boot.main(file, mark)
