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

  private def params(coherence: PadCoherence, groups: Int) = BusParams(
    tiles + 1,
    60,
    lineBytes,
    SharedBusParams(4, 128),
    Some(BusSecurityParams(
      masks = 2,
      aesLatency = 20,
      interval = 10,
      heartbeat = 64,
      timeout = 128,
      groups = groups
    )),
    Some(PadParams(blocks, countBits = 16, coherence, aesLatency = 16, groups = groups))
  )

  /** Of several groups, group 1 is without tile 2; each has the upper blocks of its own. */
  private def members(group: Int): Set[Int] = if (group == 1) Set(0, 1) else (0 to tiles).toSet
  private def groupOf(block: Int, groups: Int): Int = if (groups == 1) 0 else (block - 2 max 0) / 2

  /** The pad of a block as the memory protector's format has it: domain, engine, block, counter and PID, AES block. */
  private def pad(padKey: BigInt, block: Int, count: BigInt, writer: Int): BigInt =
    (0 until lineBits / 128).map { aesBlock =>
      val input = (BigInt(1) << 120) | (BigInt(block) << 72) | (((count << 5) | writer) << 8) | aesBlock
      reverse(JdkAes.encrypt(if (count == 0) vendorKey else padKey, 128, input)) << (128 * aesBlock)
    }.reduce(_ | _)

  /** Memory has the first byte of a block in its lowest bits. */
  private def reverse(block: BigInt): BigInt = BigInt(1, JdkAes.bytes(block, 16).reverse)

  /** Everything quiet, behind a reset. */
  private def calm(dut: BroadcastBus): Unit = {
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
    for (member <- dut.io.control.get) {
      member.contextIn.valid.poke(false)
      member.contextOut.ready.poke(false)
      member.keyWrite.valid.poke(false)
      member.command.valid.poke(false)
    }
  }

  /** The command to all members; whether none refused it. */
  private def command(dut: BroadcastBus, operation: Int, group: Int): Boolean = {
    val control = dut.io.control.get
    for (member <- control) {
      member.command.valid.poke(true)
      member.command.bits.group.poke(group)
      member.command.bits.members.poke(members(group).map(1 << _).sum)
      member.command.bits.interval.poke(10)
      member.command.bits.operation.poke(operation)
    }
    val taken = control.map(_.refusal.peek()).forall(_ == GroupRefusal.none)
    step()
    control.foreach(_.command.valid.poke(false))
    taken
  }

  /** Opens a group under this key; what each member contributed. */
  private def setUp(dut: BroadcastBus, group: Int, key: BigInt, random: Random): Map[Int, BigInt] = {
    val control = dut.io.control.get
    val shares = members(group).map(_ -> BigInt(64, random)).toMap
    assert(command(dut, GroupOperation.allocate, group))
    for ((member, pid) <- control.zipWithIndex if members(group)(pid)) {
      member.random.valid.poke(true)
      member.random.bits.poke(shares(pid))
      member.keyWrite.bits.slot.poke(group)
      for (word <- 0 until 2) {
        member.keyWrite.valid.poke(true)
        member.keyWrite.bits.word.poke(word)
        member.keyWrite.bits.data.poke((key >> (64 * (1 - word))) & ((BigInt(1) << 64) - 1))
        step()
      }
      member.keyWrite.valid.poke(false)
    }
    assert(command(dut, GroupOperation.open, group))
    var cycles = 0
    while (members(group).exists(pid => !control(pid).agreed.peek().testBit(group))) {
      step()
      cycles += 1
      assert(cycles < 5000, s"group $group is not agreed")
    }
    shares
  }

  for {
    (coherence, groups) <- Seq(
      PadCoherence.WriteInvalidate -> 1,
      PadCoherence.WriteUpdate -> 1,
      PadCoherence.WriteInvalidate -> 3
    )
  } {
    // covers: bus.tile-pads
    test(s"blocks go from tile to tile through memory, each under the key of its group, $coherence, $groups groups") {
      val random = new Random(7)
      simulate(new BroadcastBus(params(coherence, groups))) { dut =>
        calm(dut)
        val first = ReferenceGroup.padKey(groupKey, setUp(dut, 0, groupKey, random))
        val groupKeys = groupKey +: Seq.fill(groups - 1)(BigInt(128, random))
        for (group <- 1 until groups) setUp(dut, group, groupKeys(group), random)
        val keys = first +: (1 until groups).map(group =>
          ReferenceGroup.padKeyOf(group, groupKeys(group), members(group), first)
        )
        assert(keys.distinct == keys)
        val ports = dut.io.pads.get
        def keyOf(block: Int): BigInt = keys(groupOf(block, groups))

        /** What memory holds and what it means; who has counted how far. */
        val memory = mutable.Map[Int, (BigInt, BigInt)]()
        val counts = mutable.Map[Int, Int]().withDefaultValue(0)
        for (block <- 0 until blocks) {
          val plain = BigInt(lineBits, random)
          memory(block) = (plain ^ pad(first, block, 0, 0), plain)
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
                port.encrypt.bits.place.block.poke(block.get)
                port.encrypt.bits.place.group.poke(groupOf(block.get, groups))
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
              .filter(block => members(groupOf(block, groups))(number + 1))
            block = Some(free(random.nextInt(free.size)))
            next = BigInt(lineBits, random)
            decrypts = true
            port.decrypt.valid.poke(true)
            port.decrypt.bits.place.block.poke(block.get)
            port.decrypt.bits.place.group.poke(groupOf(block.get, groups))
            port.decrypt.bits.data.poke(memory(block.get)._1)
          }

          private def leave(cipher: BigInt): Unit = {
            counts(block.get) += 1
            assert((cipher ^ next) == pad(keyOf(block.get), block.get, counts(block.get), number + 1), s"block $block")
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
          port.expectDecryption.bits.block.poke(random.nextInt(blocks))
          port.expectDecryption.bits.group.poke(random.nextInt(groups))
          port.expectEncryption.valid.poke(random.nextInt(8) == 0)
          port.expectEncryption.bits.block.poke(random.nextInt(blocks))
          port.expectEncryption.bits.group.poke(random.nextInt(groups))
          step()
          port.expectDecryption.valid.poke(false)
          port.expectEncryption.valid.poke(false)
          after.foreach(_())
          cycles += 1
          assert(cycles < 30000, s"no block moves any more after $turns turns")
        }

        /** What the first tile gets of a block of memory if its page is of this group. */
        def decrypted(block: Int, group: Int): BigInt = {
          val port = ports.head
          port.decrypt.valid.poke(true)
          port.decrypt.bits.place.block.poke(block)
          port.decrypt.bits.place.group.poke(group)
          port.decrypt.bits.data.poke(memory(block)._1)
          stepUntil(port.decrypted.valid, 2000)
          val out = port.decrypted.bits.peek()
          step()
          port.decrypt.valid.poke(false)
          out
        }
        if (groups > 1) {
          ports.foreach(quiet(_, vendorKey, takes = true))
          step(200)
          for {
            block <- (0 until blocks).filter(counts(_) > 0)
            group <- 0 until groups
          } assert(
            (decrypted(block, group) == memory(block)._2) == (group == groupOf(block, groups)),
            s"block $block in group $group"
          )

          // A group that comes back reads its memory as before
          while (!command(dut, GroupOperation.release, 2)) step()
          setUp(dut, 2, groupKeys(2), random)
          for (block <- (0 until blocks).filter(groupOf(_, groups) == 2))
            assert(decrypted(block, 2) == memory(block)._2)
        }
        dut.io.control.get.foreach(_.alarm.expect(BusAlarm.none))
      }
    }
  }
}
