package k

import kotlinx.benchmark.*

@State(Scope.Benchmark)
open class Words {
    @Param("10", "100")
    var n = 0
    private var words = listOf<String>()

    @Setup
    fun prepare() {
        words = List(n) { "word$it" }
    }

    @Benchmark
    open fun join(): String = words.joinToString(" ")

    @Benchmark
    open fun lengths(hole: Blackhole) {
        for (word in words) hole.consume(word.length)
    }
}
