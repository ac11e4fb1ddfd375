defmodule Hello do
  use Derny

  @words for i <- 0..99, do: "word#{i}"

  bench "join", do: Enum.join(@words, " ")

  bench "concatenate", do: Enum.reduce(tl(@words), hd(@words), fn word, text -> text <> " " <> word end)
end
