package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyTable
import hauberk.memory.common.KeySlot
import hauberk.tilelink.common.VerilatedTest
import org.scalatest.flatspec.AnyFlatSpec

/** A key loader with the key tables of two engines. Both want a key in the spare slot, from different cycles on, until it is usable.
  *
  * @param alone the static key is made of entropy, too, before the others
  */
class ProtectorKeyLoaderBench(alone: Boolean) extends MultiIOModule {
  val select = IO(Input(UInt(8.W)))
  val finished = IO(Output(Bool()))
  private val cycle = RegInit(0.U(16.W))
  cycle := cycle + 1.U

  private val loader = Module(new ProtectorKeyLoader(2, unwraps = !alone))
  for (fromPackage <- loader.io.fromPackage) {
    fromPackage.fuse.deviceKey := Bench.deviceKey.U
    fromPackage.fuse.valid := true.B
    fromPackage.wrappedKey := VecInit(Seq.fill(3)(0.U(64.W)))
    fromPackage.unwrap := false.B
  }
  loader.io.makeDynamicKey := cycle === 20.U
  loader.io.makeStaticKey := alone.B && cycle === 20.U

  // Every word of entropy is another, so that every word of a key shows where it comes from
  private val taken = RegInit(1.U(64.W))
  loader.io.entropy.valid := cycle(1, 0) === 3.U
  loader.io.entropy.bits := taken
  when(loader.io.entropy.valid && loader.io.entropy.ready) { taken := taken + 1.U }

  private val tables = Seq.fill(2)(Module(new KeyTable(KeySlot.count, 128, 1)))
  private val dynamicBoth = RegInit(0.U(4.W))
  private val sparePerEngine = RegInit(VecInit(Seq.fill(2)(0.U(4.W))))
  for (((table, port), engine) <- tables.zip(loader.io.engines).zipWithIndex) {
    table.io.write := port.write
    table.io.zeroize := port.zeroize
    table.io.read(0).slot := KeySlot.spare.U
    table.io.read(0).decrypt := false.B
    port.wanted.valid := cycle > (40 + engine).U && !table.io.usable(KeySlot.spare)
    port.wanted.bits := KeySlot.spare.U
    when(port.write.valid && port.write.bits.slot === KeySlot.spare.U) {
      sparePerEngine(engine) := sparePerEngine(engine) + 1.U
      assert(!loader.io.engines(1 - engine).write.valid, "an engine got a word of another engine's key")
      assert(port.wanted.valid, "an engine got a key it did not want")
    }
    assert(alone.B || !(port.zeroize.valid && port.zeroize.bits === KeySlot.static.U), "the static key was erased")
  }
  private val writes = loader.io.engines.map(_.write)
  when(writes.map(w => w.valid && w.bits.slot === KeySlot.dynamic.U).reduce(_ && _)) {
    dynamicBoth := dynamicBoth + 1.U
  }

  private val staticBoth = RegInit(0.U(4.W))
  when(writes.map(w => w.valid && w.bits.slot === KeySlot.static.U).reduce(_ && _)) { staticBoth := staticBoth + 1.U }

  finished := cycle === 400.U
  when(finished) {
    val before = if (alone) 2 else 0 // words of the static key
    def key(word: Int): UInt = ((BigInt(before + word) << 64) | (before + word + 1)).U
    assert(staticBoth === before.U, "the static key is not of two words that all engines got at once")
    assert(dynamicBoth === 2.U, "the dynamic key is not of two words that all engines got at once")
    assert(sparePerEngine(0) === 2.U && sparePerEngine(1) === 2.U, "a key is not of two words")
    assert(taken === (before + 7).U, "the keys took another number of words than two each")
    assert(tables.map(_.io.usable(KeySlot.static)).reduce(_ && _) === alone.B, "a static key from nowhere, or none")
    assert(tables.map(_.io.usable(KeySlot.dynamic)).reduce(_ && _), "the dynamic key is not usable")
    assert(tables.map(_.io.usable(KeySlot.spare)).reduce(_ && _), "a key that was asked for is not usable")
    assert(tables(0).io.read(0).key === key(3), "the first engine has another key")
    assert(tables(1).io.read(0).key === key(5), "the second engine has another key")
  }
}

// covers: soc.key-loader
class ProtectorKeyLoaderSpec extends AnyFlatSpec with VerilatedTest {
  "a key loader" should "give every engine that wants a key one of its own, once, and the dynamic key to all" in
    verilate("key-loader")(new ProtectorKeyLoaderBench(alone = false)).run(limit = 1000)

  it should "make the static key, too, where no package brings one" in
    verilate("key-loader-alone")(new ProtectorKeyLoaderBench(alone = true)).run(limit = 1000)
}
