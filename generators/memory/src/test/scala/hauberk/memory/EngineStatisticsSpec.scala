package hauberk.memory

import hauberk.abi.Counter
import hauberk.memory.common.AlarmCause
import hauberk.memory.engine.EngineStatistics
import org.scalatest.funsuite.AnyFunSuite

class EngineStatisticsSpec extends AnyFunSuite {
  test("the table of counters describes every counter of an engine, and no other") {
    val described = Counter.inOrder(EngineStatistics.counters).map(_.field)
    assert(described.sorted == (new EngineStatistics).elements.keys.toSeq.sorted)
  }

  test("an index that is used twice is refused, and one that is left out") {
    val Seq(first, second) = EngineStatistics.counters.take(2)
    for (index <- Seq(0, 2))
      assertThrows[IllegalArgumentException](Counter.inOrder(Seq(first, second.copy(index = index))))
  }

  test("alarm causes are numbered without gaps, by three bits") {
    assert(AlarmCause.all.map(_.number) == AlarmCause.all.indices && AlarmCause.width == 4)
  }
}
