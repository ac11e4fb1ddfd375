defmodule Benchee.MixProject do
  use Mix.Project
  def project, do: [app: :benchee, version: "1.5.0"]
end
