package hauberk.crypto

import chisel3._
import chisel3.util._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** A core with a gate beside one without. */
private class GateBench(params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val responseReady = Input(Bool())
    val wake = Input(Bool())

    /** Both take and give alike in this cycle; what a core shows is the same, also while nothing is valid. */
    val alike = Output(Bool())
    val sameInside = Output(Bool())
    val valid = Output(Bool())
    val block = Output(UInt(128.W))

    /** Cycles in which the clock of the gated core ran. */
    val ran = Output(UInt(32.W))
  })
  private val gated = Module(new GatedAesCore(params))
  private val plain = Module(new AesCore(params))
  gated.io.wake := io.wake
  for (port <- Seq(gated.io.request, plain.io.request)) {
    port.valid := io.request.valid
    port.bits := io.request.bits
  }
  io.request.ready := gated.io.request.ready
  gated.io.response.ready := io.responseReady
  plain.io.response.ready := io.responseReady
  private val same = gated.io.response.bits.asUInt === plain.io.response.bits.asUInt
  io.valid := gated.io.response.valid
  io.block := gated.io.response.bits.block
  io.sameInside := same
  io.alike := gated.io.request.ready === plain.io.request.ready && io.valid === plain.io.response.valid &&
    (!io.valid || same)
  private val ran = RegInit(0.U(32.W))
  when(gated.io.running) { ran := ran + 1.U }
  io.ran := ran
}

/** Gated ciphers: the same cycle by cycle, standing still while they are empty, and without what they held. */
class GatedAesSpec extends AnyFunSuite with Simulation {
  private val cores = Seq(
    AesParams(tagBits = 4),
    AesParams(architecture = AesArchitecture.Folded(2), tagBits = 4),
    AesParams(architecture = AesArchitecture.Folded(4), extraLatency = 7),
    AesParams(keyBits = 256, architecture = AesArchitecture.Iterative, direction = AesDirection.Both, extraLatency = 1)
  )
  // covers: crypto.clock-gates, crypto.gated-key-erase
  for (params <- cores) test(s"$params behaves as without a gate, and keeps no key") {
    simulate(new GateBench(params)) { dut =>
      val random = new Random(7)
      // The result of the offered block, and the results of those that were taken
      var offered = Option.empty[BigInt]
      val owed = mutable.Queue.empty[BigInt]
      def offer(valid: Boolean, key: BigInt): Unit = {
        val block = if (valid) JdkAes.random(random, 128) else BigInt(0)
        val decrypts = valid && params.direction == AesDirection.Both && random.nextBoolean()
        dut.io.request.valid.poke(valid)
        dut.io.request.bits.block.poke(block)
        // A decryption begins with the last round key
        val start = if (decrypts) KeySchedule.decryptionStart(key, params.keyBits) else key
        dut.io.request.bits.key.poke(start)
        dut.io.request.bits.decrypt.poke(decrypts)
        offered =
          if (!valid) None
          else if (decrypts) Some(JdkAes.decrypt(key, params.keyBits, block))
          else Some(JdkAes.encrypt(key, params.keyBits, block))
      }
      def tick(ready: Boolean = true): Unit = {
        dut.io.responseReady.poke(ready)
        assert(dut.io.alike.peekBoolean())
        if (dut.io.valid.peekBoolean()) {
          dut.io.block.expect(owed.head)
          if (ready) owed.dequeue()
        }
        if (dut.io.request.ready.peekBoolean()) owed ++= offered
        step()
      }
      def drained(left: String): Unit = {
        for (_ <- 0 until 2 * params.latency + params.ranks + 40) tick()
        assert(dut.io.sameInside.peekBoolean(), s"$left stays in a core that stands still")
      }
      dut.io.wake.poke(false)
      offer(valid = false, 0)
      // Wherever the traffic ends, also with results that wait
      for (round <- 0 until 30) {
        for (_ <- 0 until random.nextInt(40)) {
          offer(random.nextInt(3) != 0, JdkAes.random(random, params.keyBits))
          tick(random.nextInt(4) != 0)
        }
        offer(valid = false, 0)
        if (round % 3 == 0) {
          resetDesign(dut)
          owed.clear()
        }
        drained("something")
        val before = dut.io.ran.peek()
        for (_ <- 0 until 50) tick()
        assert(dut.io.ran.peek() == before, "the clock runs for nothing")

        // A key that stands at the request while nothing is asked, and is lost: what came in by an earlier wake goes with it
        offer(valid = false, JdkAes.random(random, params.keyBits))
        for (key <- Seq(true, false)) {
          if (!key) offer(valid = false, 0)
          dut.io.wake.poke(true)
          tick()
          dut.io.wake.poke(false)
          drained("a lost key")
        }

        // A key that stands at the request during a reset
        offer(valid = false, JdkAes.random(random, params.keyBits))
        resetDesign(dut)
        offer(valid = false, 0)
        drained("a key from before a reset")
      }
    }
  }
}
