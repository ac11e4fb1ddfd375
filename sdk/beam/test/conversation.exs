defmodule Derny.Conversation do
  # A conversation with the benchmarks of a text of Elixir, through files.

  @turn "measure iterations=2 batches=2 within=60000000000"

  def turn, do: @turn

  @doc "The lines of the replies, without the first."
  def talk(text, commands) do
    :derny_registry.clear()
    Code.compile_string(text, "talk_bench.exs")
    lines = speak(commands)
    :derny_registry.clear()
    lines
  end

  def speak(commands) do
    place = Path.join(System.tmp_dir!(), "derny-talk-#{System.pid()}")
    File.write!(place <> ".commands", Enum.map(commands ++ ["quit"], &[&1, "\n"]))
    File.write!(place <> ".replies", "")
    System.put_env(%{"DERNY_COMMANDS" => place <> ".commands", "DERNY_REPLIES" => place <> ".replies"})
    # In a process of its own, as the session of a program is.
    0 = Task.await(Task.async(fn -> :derny_session.run(:derny_wire.open(), %{language: ~c"elixir", runtime: ~c"test/1", clock: :perf}) end), :infinity)
    replies = File.read!(place <> ".replies")
    for end_ <- [".commands", ".replies"], do: File.rm!(place <> end_)
    tl(String.split(replies, "\n", trim: true))
  end

  @doc "Opens a case, measures it for two turns and closes it."
  def visit(case), do: ["open benchmark=" <> case, @turn, @turn, "close"]

  def verbs(lines), do: Enum.map(lines, &hd(String.split(&1, " ")))

  @doc "What the line says, decoded."
  def said(line), do: URI.decode(line)
end
