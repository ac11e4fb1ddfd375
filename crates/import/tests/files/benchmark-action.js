window.BENCHMARK_DATA = {
  "lastUpdate": 1705899244012,
  "repoUrl": "https://github.com/example/words",
  "entries": {
    "Rust": [
      {
        "commit": {
          "author": { "email": "a@example.com", "name": "A", "username": "a" },
          "distinct": true,
          "id": "b2580dff0a682fd5fa0955c41f4b0a6ed9b6ba0d",
          "message": "Split words",
          "timestamp": "2024-01-22T13:33:41+09:00",
          "url": "https://github.com/example/words/commit/b2580dff0a682fd5fa0955c41f4b0a6ed9b6ba0d"
        },
        "date": 1705898705284,
        "tool": "cargo",
        "benches": [
          { "name": "split", "value": 1250, "range": "± 12", "unit": "ns/iter" },
          { "name": "join/{}", "value": 80, "range": "± 1,234", "unit": "ns/iter" }
        ]
      },
      {
        "commit": { "id": "c3580dff0a682fd5fa0955c41f4b0a6ed9b6ba0d", "timestamp": "2024-01-23T13:33:41+09:00" },
        "date": 1705999244012,
        "tool": "cargo",
        "benches": [{ "name": "split", "value": 1300, "range": "± 15", "unit": "ns/iter" }]
      }
    ],
    "Python": [
      {
        "commit": { "id": "c3580dff0a682fd5fa0955c41f4b0a6ed9b6ba0d" },
        "date": 1705999244013,
        "tool": "pytest",
        "benches": [
          { "name": "test_sort", "value": 3056001.2, "unit": "iter/sec", "range": "stddev: 6.9e-9", "extra": "mean: 0.33 usec\nrounds: 5" }
        ]
      }
    ]
  }
}
