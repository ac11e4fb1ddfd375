defmodule Derny.MixProject do
  use Mix.Project

  def project do
    [app: :derny, version: "0.1.0", elixir: "~> 1.14", deps: [], description: "Benchmarks for Elixir and Erlang, measured by the engine derny"]
  end

  def application, do: []
end
