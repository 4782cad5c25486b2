package hauberk.memory

import hauberk.memory.engine.OwnerPort
import hauberk.testing.Simulation
import scala.collection.mutable

/** Answers an engine that asks for the owners of pages, in any order. */
class PageOwnersModel(simulation: Simulation, port: OwnerPort) {
  import simulation._
  private val asked = mutable.Buffer.empty[(BigInt, Int, Int)]
  private var cycle = 0

  /** The blocks of pages with an owner. */
  var owned: Int => Boolean = _ => false

  /** Cycles until a block's answer; 0 is the cycle of the question. */
  var delay: Int => Int = _ => 0

  /** Whether a question is taken in this cycle. */
  var takes: () => Boolean = () => true

  /** Everything else of this cycle is driven. */
  def settle(): Unit = {
    val ready = takes()
    port.question.ready.poke(ready)
    if (ready && port.question.valid.peekBoolean()) {
      val block = port.question.bits.block.peek().toInt
      asked += ((port.question.bits.entry.peek(), block, cycle + delay(block)))
    }
    val due = asked.find(_._3 <= cycle)
    port.answer.valid.poke(due.nonEmpty)
    for ((entry, block, _) <- due) {
      port.answer.bits.entry.poke(entry)
      port.answer.bits.owned.poke(owned(block))
    }
    asked --= due
    cycle += 1
  }
}
