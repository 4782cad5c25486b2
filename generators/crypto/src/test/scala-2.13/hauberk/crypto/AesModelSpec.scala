package hauberk.crypto

import chisel3._
import chisel3.util._
import hauberk.bench.AesVariants
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The model of a core, without and with a gated clock, beside the rounds in hardware: one stream of requests, one consumer. */
private class AesPair(params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Input(Valid(new AesRequest(params.keyBits, params.tagBits)))
    val responseReady = Input(Bool())

    /** All take and give alike in this cycle. */
    val alike = Output(Bool())

    /** Nothing is inside, and the models show nothing. */
    val empty = Output(Bool())
    val taken = Output(UInt(16.W))
  })
  private val rounds = Module(new AesCore(params))
  private val modelled = params.copy(datapath = AesDatapath.Model)
  private val model = Module(new AesCore(modelled))
  private val gated = Module(new GatedAesCore(modelled))
  gated.io.wake := false.B
  for (port <- Seq(rounds.io.request, model.io.request, gated.io.request)) {
    port.valid := io.request.valid
    port.bits := io.request.bits
  }
  for (port <- Seq(rounds.io.response, model.io.response, gated.io.response)) { port.ready := io.responseReady }
  private val answer = rounds.io.response
  private val models = Seq((model.io.request, model.io.response), (gated.io.request, gated.io.response))
  io.alike := models.map { case (request, response) =>
    request.ready === rounds.io.request.ready && response.valid === answer.valid &&
    (!answer.valid || response.bits.asUInt === answer.bits.asUInt)
  }.reduce(_ && _)

  private val taken, left = RegInit(0.U(16.W))
  when(io.request.valid && rounds.io.request.ready) { taken := taken + 1.U }
  when(answer.valid && answer.ready) { left := left + 1.U }
  io.empty := taken === left && models.map(_._2.bits.block === 0.U).reduce(_ && _)
  io.taken := taken
}

/** Every kind of core of one key size. */
private class AesPairs(val variants: Seq[AesParams]) extends Module {
  private val pairs = variants.map(params => Module(new AesPair(params)))
  val io = IO(new Bundle {
    val request = Input(Valid(new AesRequest(variants.head.keyBits, variants.head.tagBits)))
    val responseReady = Input(Bool())
    val alike = Output(UInt(variants.size.W))
    val empty = Output(UInt(variants.size.W))
    val leastTaken = Output(UInt(16.W))
  })
  for (pair <- pairs) {
    pair.io.request := io.request
    pair.io.responseReady := io.responseReady
  }
  io.alike := VecInit(pairs.map(_.io.alike)).asUInt
  io.empty := VecInit(pairs.map(_.io.empty)).asUInt
  io.leastTaken := pairs.map(_.io.taken).reduce((a, b) => Mux(a < b, a, b))
}

/** A model in a core is the rounds of hardware: it takes and gives the same in every cycle, and holds nothing while it is empty. */
// covers: crypto.aes
abstract class AesModelSpec(keyBits: Int) extends AnyFunSuite with Simulation {
  private val directions = Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both)
  private val architectures = Seq(
    AesArchitecture.Iterative,
    AesArchitecture.Pipelined(1),
    AesArchitecture.Pipelined(2),
    AesArchitecture.Folded(2),
    AesArchitecture.Folded(4)
  )
  private val variants = for {
    architecture <- architectures
    (direction, extraLatency) <- directions.zipWithIndex
  } yield AesParams(keyBits, direction, architecture, SBoxStyle.Table, extraLatency, tagBits = 5)
  private val longest = variants.map(params => 2 * params.latency + params.ranks).max

  private def expectAll(bits: BigInt, what: String): Unit = {
    val others = variants.zipWithIndex.collect { case (params, i) if !bits.testBit(i) => AesVariants.name(params) }
    assert(others.isEmpty, s"$what: ${others.mkString(", ")}")
  }

  // Larger keys differ in the number of rounds
  test(s"AES-$keyBits: ${variants.size} cores behave as their models", Thorough.unless(keyBits == 128): _*) {
    simulate(new AesPairs(variants)) { dut =>
      val random = new Random(keyBits)
      def tick(valid: Boolean, ready: Boolean): Unit = {
        val bits = dut.io.request.bits
        dut.io.request.valid.poke(valid)
        bits.block.poke(JdkAes.random(random, 128))
        bits.key.poke(JdkAes.random(random, keyBits))
        bits.decrypt.poke(random.nextBoolean())
        bits.tag.poke(random.nextInt(32))
        dut.io.responseReady.poke(ready)
        expectAll(dut.io.alike.peek(), "a model differs")
        step()
      }
      // Requests and consumer at each of three rates; in between, what is inside leaves
      for {
        offered <- Seq(1, 3, 4)
        accepted <- Seq(1, 3, 4)
      } {
        for (_ <- 0 until 100) tick(random.nextInt(4) < offered, random.nextInt(4) < accepted)
        for (_ <- 0 until longest + 2) tick(valid = false, ready = true)
        expectAll(dut.io.empty.peek(), "an idle model computes, or holds a result")
      }
      assert(dut.io.leastTaken.peek() > 40)
    }
  }
}

class AesModel128Spec extends AesModelSpec(128)
class AesModel192Spec extends AesModelSpec(192)
class AesModel256Spec extends AesModelSpec(256)
