defmodule Derny.Kept do
  @moduledoc false
  # A file of benchmarks whose code was compiled before. Loading Elixir's compiler and compiling a file takes
  # longer than everything else that a process does before its first line.

  alias Derny.Closed

  @doc "Like `Code.require_file/1`. A file that depends only on its text is compiled once for each version of the file and of the runtime."
  def require_file(file) do
    text = File.read!(file)
    # The path of the layer contains its version, and Elixir's.
    source = {Path.expand(file), text, :code.which(__MODULE__), :erlang.system_info(:otp_release)}
    code = :derny_compiled.binary(source, fn -> Closed.closed?(text, file) end, fn -> :erlang.term_to_binary(Code.require_file(file)) end)
    modules = for {module, binary} <- :erlang.binary_to_term(code), not :erlang.module_loaded(module), do: {module, binary}
    for {module, binary} <- modules, do: {:module, _} = :code.load_binary(module, String.to_charlist(Path.expand(file)), binary)
    # Effects that compiling them would have had.
    for {module, _} <- modules, {function, layer} <- [__derny__: Derny, __benchfella__: Benchfella], function_exported?(module, function, 0), do: layer.registered(module)
  end
end
