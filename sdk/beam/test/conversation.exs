defmodule Derny.Conversation do
  # Runs a conversation with the benchmarks of an Elixir source, through files.

  @turn "measure iterations=2 batches=2 within=60000000000"

  def turn, do: @turn

  @doc "Returns the lines of the replies, without the first one."
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
    # A separate process, like the session of a program.
    0 = Task.await(Task.async(fn -> :derny_session.run(:derny_wire.open(), %{language: ~c"elixir", runtime: ~c"test/1", clock: :perf}) end), :infinity)
    replies = File.read!(place <> ".replies")
    for end_ <- [".commands", ".replies"], do: File.rm!(place <> end_)
    tl(String.split(replies, "\n", trim: true))
  end

  @doc "Opens a case, runs two turns and closes it."
  def visit(case), do: ["open benchmark=" <> case, @turn, @turn, "close"]

  def verbs(lines), do: Enum.map(lines, &hd(String.split(&1, " ")))

  @doc "Returns the decoded fields of a line."
  def said(line), do: URI.decode(line)
end
