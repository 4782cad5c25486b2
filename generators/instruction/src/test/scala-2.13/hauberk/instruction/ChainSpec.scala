package hauberk.instruction

import chisel3._
import hauberk.crypto.{AesDirection, KeyTable}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Passes all fetches on; only its keys are real: with those for decryption a key is usable some cycles later. */
private class Passing(p: EmuParams, direction: AesDirection) extends Modifier(p) {
  private val keys = Module(new KeyTable(p.keySlots, 128, 1, direction))
  keys.io.write := io.keys.write
  keys.io.zeroize := io.keys.zeroize
  keys.io.read.head.slot := 0.U
  keys.io.read.head.decrypt := false.B
  io.keys.usable := keys.io.usable
  Modifier.request(io, waits = false.B)
  io.processor.beat <> io.memory.beat
}

/** Bridges of one modifier or two, all under the same commands. */
private class Chains(p: EmuParams, kinds: Seq[Seq[AesDirection]]) extends Module {
  val commands = IO(Vec(kinds.size, Flipped(new EmuCommands(p))))
  for ((chain, port) <- kinds.zip(commands)) {
    val unit = Module(new EncryptionManagementUnit(p, Some(chain.map(kind => (p: EmuParams) => new Passing(p, kind)))))
    unit.io.processor.request.valid := false.B
    unit.io.processor.request.bits := 0.U.asTypeOf(unit.io.processor.request.bits)
    unit.io.processor.beat.ready := true.B
    unit.io.memory.request.ready := true.B
    unit.io.memory.beat.valid := false.B
    unit.io.memory.beat.bits := 0.U.asTypeOf(unit.io.memory.beat.bits)
    unit.io.flushed := false.B
    unit.io.commands <> port
  }
}

class ChainSpec extends AnyFunSuite with Simulation {
  private val p = EmuParams()
  private val (early, late) = (AesDirection.Encrypt, AesDirection.Decrypt)

  // covers: instruction.tables
  test("a page is mapped to a key only while every modifier of the chain can use it, whatever their order") {
    simulate(new Chains(p, Seq(Seq(early), Seq(late), Seq(early, late), Seq(late, early)))) { dut =>
      /** Who can use the key of a slot in this cycle, by whether it maps a page to it; slot 0 stands for no key. */
      def usable(slot: Int): Seq[Boolean] = {
        val seen = for (port <- dut.commands) yield {
          port.mapping.valid.poke(true)
          port.mapping.bits.slot.poke(slot)
          val error = port.error.peek().toInt
          val can = port.usable(slot).peekBoolean()
          assert(error == (if (can || slot == 0) EmuError.none else EmuError.noKey))
          port.mapping.valid.poke(false)
          can
        }
        seen.toSeq
      }
      for (slot <- 0 until p.keySlots) {
        var all = Seq.empty[Seq[Boolean]]
        for (round <- 0 until 2) {
          for (word <- 0 until 2) {
            for (port <- dut.commands) {
              port.key.valid.poke(true)
              port.key.bits.slot.poke(slot)
              port.key.bits.word.poke(word)
              port.key.bits.data.poke(round + 7)
            }
            all :+= usable(slot)
            step()
          }
          dut.commands.foreach(_.key.valid.poke(false))
          for (_ <- 0 until 20) {
            all :+= usable(slot)
            step()
          }
          assert(all.last.forall(identity))
        }
        for (port <- dut.commands) {
          port.zeroize.valid.poke(true)
          port.zeroize.bits.poke(slot)
        }
        step()
        dut.commands.foreach(_.zeroize.valid.poke(false))
        assert(usable(slot).forall(!_))
        for (Seq(fast, slow, one, other) <- all) assert(one == (fast && slow) && other == one)
        assert(all.exists { case Seq(fast, slow, _, _) => fast && !slow }, "no key was usable in one of two")
      }
    }
  }
}
