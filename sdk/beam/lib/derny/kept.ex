defmodule Derny.Kept do
  @moduledoc false
  # Loads files of benchmarks from a cache of compiled code. Loading Elixir's compiler and compiling a file
  # takes longer than the rest of a process's start.

  alias Derny.Closed

  @doc """
  Like `Code.require_file/1`, but compiles a file only once per version of the file and the runtime if its
  code depends only on its text.
  """
  def require_file(file) do
    text = File.read!(file)
    # The path of the layer's code contains the versions of this SDK and of Elixir.
    source = {Path.expand(file), text, :code.which(__MODULE__), :erlang.system_info(:otp_release)}
    code = :derny_compiled.binary(source, fn -> Closed.closed?(text, file) end, fn -> :erlang.term_to_binary(Code.require_file(file)) end)
    modules = for {module, binary} <- :erlang.binary_to_term(code), not :erlang.module_loaded(module), do: {module, binary}
    for {module, binary} <- modules, do: {:module, _} = :code.load_binary(module, String.to_charlist(Path.expand(file)), binary)
    # Compiling the file would have registered its benchmarks. Cached code needs this call instead.
    for {module, _} <- modules, {function, layer} <- [__derny__: Derny, __benchfella__: Benchfella], function_exported?(module, function, 0), do: layer.registered(module)
  end
end
