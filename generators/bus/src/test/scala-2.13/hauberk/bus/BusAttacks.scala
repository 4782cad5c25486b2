package hauberk.bus

import hauberk.testing.Simulation

/** What attacks on the wires of a bus are made of. */
trait BusAttacks extends Simulation {

  /** Strikes in the bus cycle in which such a frame passes, and says so. */
  protected def atFrame(bench: BusBench, wanted: Frame => Boolean)(strike: Frame => Unit): () => Boolean =
    () => {
      val view = bench.dut.io.view
      view.taken.peekBoolean() && {
        val frame = bench.frame(view.beat)
        wanted(frame) && { strike(frame); true }
      }
    }

  /** The same of transfers: the next with data, or another. */
  protected def atTransfer(
      bench: BusBench,
      wanted: Frame => Boolean = _.hasData
  )(strike: Frame => Unit): () => Boolean =
    atFrame(bench, frame => frame.kind == FrameKind.transfer && wanted(frame))(strike)

  /** All members but these. */
  protected def others(bench: BusBench, but: Int*): Seq[Int] = bench.everybody.filterNot(but.contains(_))

  /** Goes on until an attack has struck, once. */
  protected def carryOut(bench: BusBench)(attack: () => Boolean): Unit = {
    var struck = false
    bench.adversary = () => if (!struck) struck = attack()
    while (!struck) bench.tick()
    bench.adversary = () => ()
  }
}
