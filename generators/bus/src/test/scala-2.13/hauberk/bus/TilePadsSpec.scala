package hauberk.bus

import hauberk.crypto.JdkAes
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Tiles that encrypt for memory themselves, with counters kept coherent over the bus (section 6.1), against pads made by the JDK. */
class TilePadsSpec extends AnyFunSuite with TilePadsBench {
  private val blocks = 8
  private val tiles = 2
  private val lineBytes = 32
  private val lineBits = lineBytes * 8
  private val groupKey = BigInt("000102030405060708090a0b0c0d0e0f", 16)
  private val vendorKey = BigInt("2b7e151628aed2a6abf7158809cf4f3c", 16)

  private def params(coherence: PadCoherence) = BusParams(
    tiles + 1,
    60,
    lineBytes,
    SharedBusParams(4, 128),
    Some(BusSecurityParams(masks = 2, aesLatency = 20, interval = 10, heartbeat = 64, timeout = 128)),
    Some(PadParams(blocks, countBits = 16, coherence, aesLatency = 16))
  )

  /** The pad of a block as the memory protector's format has it: domain, engine, block, counter and PID, AES block. */
  private def pad(sessionKey: BigInt, block: Int, count: BigInt, writer: Int): BigInt =
    (0 until lineBits / 128).map { aesBlock =>
      val input = (BigInt(1) << 120) | (BigInt(block) << 72) | (((count << 5) | writer) << 8) | aesBlock
      reverse(JdkAes.encrypt(if (count == 0) vendorKey else sessionKey, 128, input)) << (128 * aesBlock)
    }.reduce(_ | _)

  /** Memory has the first byte of a block in its lowest bits. */
  private def reverse(block: BigInt): BigInt = BigInt(1, JdkAes.bytes(block, 16).reverse)

  /** Opens the group; the key for pads that follows from it. */
  private def setUp(dut: BroadcastBus, random: Random): BigInt = {
    val control = dut.io.control.get
    for (tap <- dut.io.taps) {
      tap.replace.poke(false)
      tap.valid.poke(false)
      tap.grant.poke(false)
    }
    for (ports <- dut.io.home +: dut.io.tiles) {
      ports.send.foreach(_.valid.poke(false))
      ports.receive.foreach(_.ready.poke(false))
    }
    dut.io.pads.get.foreach(quiet(_, vendorKey, takes = false))
    val shares = control.indices.map(_ -> BigInt(64, random)).toMap
    for ((member, pid) <- control.zipWithIndex) {
      member.contextIn.valid.poke(false)
      member.contextOut.ready.poke(false)
      member.random.valid.poke(true)
      member.random.bits.poke(shares(pid))
      member.keyWrite.valid.poke(false)
      member.command.valid.poke(true)
      member.command.bits.group.poke(0)
      member.command.bits.members.poke((1 << (tiles + 1)) - 1)
      member.command.bits.interval.poke(10)
      member.command.bits.operation.poke(GroupOperation.allocate)
    }
    step()
    for (member <- control) {
      member.command.valid.poke(false)
      member.keyWrite.bits.slot.poke(0)
      for (word <- 0 until 2) {
        member.keyWrite.valid.poke(true)
        member.keyWrite.bits.word.poke(word)
        member.keyWrite.bits.data.poke((groupKey >> (64 * (1 - word))) & ((BigInt(1) << 64) - 1))
        step()
      }
      member.keyWrite.valid.poke(false)
    }
    for (member <- control) {
      member.command.valid.poke(true)
      member.command.bits.operation.poke(GroupOperation.open)
    }
    step()
    control.foreach(_.command.valid.poke(false))
    var cycles = 0
    while (control.exists(_.agreed.peek() == 0)) {
      step()
      cycles += 1
      assert(cycles < 5000, "the group is not agreed")
    }
    ReferenceGroup.padKey(groupKey, shares)
  }

  for (coherence <- Seq(PadCoherence.WriteInvalidate, PadCoherence.WriteUpdate)) {
    test(s"blocks go from tile to tile through memory, $coherence") {
      val random = new Random(7)
      simulate(new BroadcastBus(params(coherence))) { dut =>
        val key = setUp(dut, random)
        val ports = dut.io.pads.get

        /** What memory holds and what it means; who has counted how far. */
        val memory = mutable.Map[Int, (BigInt, BigInt)]()
        val counts = mutable.Map[Int, Int]().withDefaultValue(0)
        for (block <- 0 until blocks) {
          val plain = BigInt(lineBits, random)
          memory(block) = (plain ^ pad(key, block, 0, 0), plain)
        }
        val pads = mutable.Set[BigInt]()

        var turns = 0

        /** What a tile does with a block, which is at one tile at a time: it decrypts it, encrypts something else, and sends that to memory. */
        class Tile(number: Int, port: TilePadsPorts) {
          var block: Option[Int] = None
          private var next = BigInt(0)
          private var decrypts, encrypts = false
          private var travels = 0

          /** Looks at what happens in this cycle; what is to be poked after it. */
          def look(): () => Unit =
            if (block.isEmpty) () => begin()
            else if (decrypts && port.decrypted.valid.peekBoolean()) {
              port.decrypted.bits.expect(memory(block.get)._2)
              () => {
                decrypts = false
                encrypts = true
                port.decrypt.valid.poke(false)
                port.encrypt.valid.poke(true)
                port.encrypt.bits.block.poke(block.get)
                port.encrypt.bits.data.poke(next)
              }
            } else if (encrypts && port.encrypt.ready.peekBoolean()) () => {
              encrypts = false
              port.encrypt.valid.poke(false)
            }
            else if (!decrypts && !encrypts && travels == 0 && port.encrypted.valid.peekBoolean()) {
              leave(port.encrypted.bits.peek())
              () => ()
            } else if (travels > 0) () => {
              travels -= 1
              if (travels == 0) block = None
            }
            else () => ()

          private def begin(): Unit = {
            val free = (0 until blocks).filterNot(block => all.exists(_.block.contains(block)))
            block = Some(free(random.nextInt(free.size)))
            next = BigInt(lineBits, random)
            decrypts = true
            port.decrypt.valid.poke(true)
            port.decrypt.bits.block.poke(block.get)
            port.decrypt.bits.data.poke(memory(block.get)._1)
          }

          private def leave(cipher: BigInt): Unit = {
            counts(block.get) += 1
            assert((cipher ^ next) == pad(key, block.get, counts(block.get), number + 1), s"block $block")
            assert(pads.add(cipher ^ next), "a pad was used twice")
            memory(block.get) = (cipher, next)
            turns += 1
            // Nobody can ask memory for it before its ciphertext has crossed the bus, after the announcement
            travels = 12
          }
        }
        lazy val all: Seq[Tile] = ports.zipWithIndex.map { case (port, number) => new Tile(number, port) }
        var cycles = 0
        for (port <- ports) {
          port.decrypted.ready.poke(true)
          port.encrypted.ready.poke(true)
        }
        while (turns < 60) {
          val after = all.map(_.look())
          // Hints, right ones and wrong ones
          val port = ports(random.nextInt(tiles))
          port.expectDecryption.valid.poke(random.nextInt(8) == 0)
          port.expectDecryption.bits.poke(random.nextInt(blocks))
          port.expectEncryption.valid.poke(random.nextInt(8) == 0)
          port.expectEncryption.bits.poke(random.nextInt(blocks))
          step()
          port.expectDecryption.valid.poke(false)
          port.expectEncryption.valid.poke(false)
          after.foreach(_())
          cycles += 1
          assert(cycles < 30000, s"no block moves any more after $turns turns")
        }
        dut.io.control.get.foreach(_.alarm.expect(BusAlarm.none))
      }
    }
  }
}
