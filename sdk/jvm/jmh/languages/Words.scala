package s

import org.openjdk.jmh.annotations.*

@State(Scope.Thread)
class Words {
  @Param(Array("10", "100"))
  var n: Int = 0
  private var words: List[String] = Nil

  @Setup
  def prepare(): Unit = words = List.tabulate(n)(i => s"word$i")

  @Benchmark
  def join: String = words.mkString(" ")

  @Benchmark
  @OperationsPerInvocation(2)
  def both: Int = words.map(_.length).sum + words.size
}
