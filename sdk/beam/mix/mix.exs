defmodule DernyMix.MixProject do
  use Mix.Project

  def project do
    [
      app: :derny_mix,
      version: "0.1.0",
      elixir: "~> 1.14",
      description: "mix derny: runs the benchmarks of a project with Derny",
      package: [licenses: ["MIT", "Apache-2.0"], links: %{}],
      deps: []
    ]
  end

  def application, do: [extra_applications: []]
end
