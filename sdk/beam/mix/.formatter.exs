[inputs: ["*.exs", "lib/**/*.ex", "test/**/*.exs"], line_length: 128]
