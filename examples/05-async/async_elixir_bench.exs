defmodule Async do
  use Derny

  # A process that answers. The time covers the request and the answer.
  setup server: spawn_link(Async, :answer, [])
  teardown (Process.unlink(server); Process.exit(server, :kill))

  bench "message", do: ask(server)

  # Starts a process for each piece of work and waits for it within the timed region.
  bench "task", do: Task.await(Task.async(fn -> :done end))

  bench "spawn", do: elem(spawn_monitor(fn -> :ok end), 1) |> down()

  # By default, one scheduler runs all processes. With two, each of the two processes can have its
  # own.
  bench "message, two schedulers", schedulers: 2, do: ask(server)

  def answer do
    receive do: ({from, reference} -> send(from, reference))
    answer()
  end

  defp ask(server) do
    reference = make_ref()
    send(server, {self(), reference})
    receive do: (^reference -> :ok)
  end

  defp down(monitor), do: receive(do: ({:DOWN, ^monitor, _, _, reason} -> reason))
end
