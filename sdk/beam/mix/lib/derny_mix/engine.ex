defmodule DernyMix.Engine do
  @moduledoc """
  Starts the engine: the `derny` binary on the PATH, or the one named by `DERNY_BIN`.
  """

  @install "the engine is not installed: put the `derny` binary on the PATH, or set DERNY_BIN to its path"

  @doc "Runs the engine with this process's standard streams. Raises `Mix.Error` if its status is not 0."
  def show(words, env \\ []) do
    port = Port.open({:spawn_executable, path()}, [:nouse_stdio, :exit_status, args: words, env: charlists(env)])

    receive do
      {^port, {:exit_status, 0}} -> :ok
      {^port, {:exit_status, status}} -> failed(words, status)
    end
  end

  @doc "Runs the engine and returns its standard output. Raises like `show/2`."
  def capture(words, env \\ []) do
    case System.cmd(path(), words, env: env) do
      {text, 0} -> text
      {_, status} -> failed(words, status)
    end
  end

  # Mix exits with the engine's status.
  defp failed([verb | _], status), do: Mix.raise("derny #{verb} exited with status #{status}", exit_status: status)

  defp charlists(env), do: Enum.map(env, fn {key, value} -> {to_charlist(key), to_charlist(value)} end)

  defp path do
    case System.get_env("DERNY_BIN", "") do
      "" -> "derny"
      named -> named
    end
    |> System.find_executable() || Mix.raise(@install)
  end
end
