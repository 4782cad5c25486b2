package hauberk.abi

import chisel3._

/** Describes an event counter of 64 bits, zero at reset.
  *
  * @param field   its field in a bundle of counters, and so its name in Verilog and in FireSim's AutoCounter
  * @param index   its register, counted from the first counter
  * @param name    its name in Linux and, in upper case, in C
  * @param record  the object of a run record that has it, and its key there; None if run records leave it out
  * @param meaning the counted event, a phrase for the documentation
  */
case class Counter(field: String, index: Int, name: String, record: Option[(String, String)], meaning: String) {

  /** The counter among others. */
  def of(counters: Bundle): UInt = counters.elements(field).asUInt
}

/** Checks of lists of counters. */
object Counter {

  /** The counters by index. Every index from 0 on is used once. */
  def inOrder(counters: Seq[Counter]): Seq[Counter] = {
    val sorted = counters.sortBy(_.index)
    require(
      sorted.map(_.index) == counters.indices,
      s"counters have the indices ${sorted.map(_.index).mkString(", ")}: number them from 0 on, each once"
    )
    sorted
  }
}
