package hauberk.tilelink.contexts

import hauberk.tilelink.common.{Access, BitField, Register, VerilatedTest}
import java.security.MessageDigest
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec
import scala.util.Random

class ContextGuardSpec extends AnyFlatSpec with VerilatedTest {
  import ContextMap._
  import GuardBench.{active => _, _}
  implicit private val p: Parameters = Parameters.empty

  /** Accesses of memory that must be as if there were no guard. */
  private def free(page: BigInt, seed: Int) = Seq(0, 0x800, 0xff8).flatMap(offset =>
    Seq(Access.write(page + offset, seed + offset), Access.read(page + offset, seed + offset))
  )
  private def denied(page: BigInt) =
    Seq(0, 0xff8).flatMap(offset => Seq(Access.deniedRead(page + offset), Access.deniedWrite(page + offset)))

  // Two caches of one context, and one of another between them
  private val caches = Seq(1, 2, 1)
  private val geometryShown = Seq(
    Access.read(register(id), BigInt("4861756265726b35", 16)),
    Access.read(register(geometry), 3 | ((1 + caches.size) << 8) | (6 << 16))
  )

  /** Pages whose numbers differ from that of the last one by a bit. */
  private val others = (0 until 6).map(bit => memory.base + ((63 ^ (1 << bit)) << 12))
  private def ends(word: BigInt, isRefused: Boolean) =
    Seq(Access.read(register(owner), word | refused.holding(if (isRefused) 1 else 0)))
  private def gift(page: BigInt, spid: Int, isRefused: Boolean) = give(page, spid) ++ ends(page | spid, isRefused)
  private def released(page: BigInt, spid: Int, isRefused: Boolean) =
    releasePage(page, spid) ++ ends(page | spid | ContextMap.release.holding(1), isRefused)
  private def asked(page: BigInt, spid: Int, isRefused: Boolean) =
    askFor(page, spid) ++ ends(page | spid | ContextMap.ask.holding(1), isRefused)

  /** A page keeps its owner, whatever is asked or tried for others: nobody, who is no context, among them. */
  private def stays(page: BigInt, spid: Int) = {
    val wrong = Seq(0, 1, 2, 3, 4, 255).filter(_ != spid)
    wrong.flatMap(other => asked(page, other, true) ++ released(page, other, true)) ++
      (if (spid == 0) Nil else wrong.flatMap(gift(page, _, true)) ++ gift(page, spid, true) ++ asked(page, spid, false))
  }
  private val ofOne = free(shared, 3) ++ stays(shared, 0) ++ gift(shared, 1, false) ++ denied(shared) ++
    others.flatMap(free(_, 5)) ++
    free(public, 7) ++ activate(0, 2) ++ denied(shared) ++ activate(0, 1) ++ Seq(Access.read(shared + 0x800, 0x803)) ++
    free(shared, 9) ++ stays(shared, 1) ++ free(shared, 15) ++ others.flatMap(stays(_, 0).take(16)) ++
    // A question changes nothing, whatever else is in it
    writeOwner(shared | 1 | ContextMap.ask.holding(1) | ContextMap.release.holding(1)) ++
    asked(shared, 1, false)
  private val ofNobody = released(shared, 1, false) ++ released(shared, 1, true) ++ free(shared, 17) ++ stays(shared, 0)
  private val ofThree = gift(shared, 3, false) ++ denied(shared) ++ stays(shared, 3) ++
    activate(0, microcode) ++ Seq(Access.read(shared, 17)) ++ free(shared, 11) ++
    activate(0, 0) ++ denied(shared) ++ released(shared, 3, false) ++ free(shared, 13)
  private val owners = ofOne ++ ofNobody ++ ofThree
  private val wrongWrites = {
    val end = memory.base + memory.bytes
    val nowhere = Seq(memory.base - 0x1000, end, end + (BigInt(1) << 40))
    nowhere.flatMap(page => gift(page, 1, true) ++ asked(page, 1, true) ++ released(page, 1, true)) ++
      Seq(0, 4, 255).flatMap(gift(shared, _, true)) ++
      free(shared, 1) ++ free(public, 1) ++ gift(private1, 3, false) ++ denied(private1)
  }
  private def denial(tile: Int, spid: Int, write: Boolean) = tile | (spid << 8) | ((if (write) 1 else 0) << 16)
  private val log = activate(0, 2) ++ give(shared, 1) ++ Seq(
    Access.read(register(denials), 0),
    Access.deniedWrite(shared + 0x48),
    Access.deniedRead(shared),
    Access.read(register(status), 1),
    Access.read(register(ContextMap.denial), denial(0, 2, write = true)),
    Access.read(register(denialAddress), shared + 0x48),
    Access.read(register(denials), 2),
    Access.write(register(clear), 0),
    Access.read(register(status), 1),
    Access.write(register(clear), 1),
    Access.read(register(status), 0),
    Access.deniedRead(shared + 8),
    Access.read(register(ContextMap.denial), denial(0, 2, write = false)),
    Access.read(register(denialAddress), shared + 8)
  )

  // A message of the last two lines of a page of context 1, which nobody else could read, of a word, and of three bytes
  private val (inPage, extra, tail) = {
    val bytes = new Array[Byte](128 + 8 + 3)
    new Random(1).nextBytes(bytes)
    (bytes.take(128), bytes.slice(128, 136), bytes.drop(136))
  }
  private def littleEndian(bytes: Seq[Byte]): BigInt = BigInt(1, bytes.reverse.toArray)
  private def inHasher(of: Register): BigInt = HasherMap.all.base + of.offset
  private def hasherIs(flags: BitField*): Access =
    Access.await(inHasher(HasherMap.status), flags.map(_.holding(1)).sum, 0x1f)
  private val aborted = Seq(Access.write(inHasher(HasherMap.abort), 1), hasherIs())
  private def hash(first: BigInt, lines: BigInt) =
    Seq(Access.write(inHasher(HasherMap.address), first), Access.write(inHasher(HasherMap.lines), lines))
  private def digestIs(digest: Seq[BigInt]) = HasherMap.digest.zip(digest).map { case (register, word) =>
    Access.read(inHasher(register), word)
  }
  private val none = Seq.fill(4)(BigInt(0))
  private def messages(message: Array[Byte]) =
    MessageDigest.getInstance("SHA-256").digest(message).toSeq.grouped(8).map(littleEndian).toSeq
  private val hashes = {
    val page = shared + 0x1000 - 128
    val words = inPage.toSeq.grouped(8).map(littleEndian).toSeq
    val all = hash(page, 2) ++ Seq(
      // While a range is read, nothing is added
      Access.write(inHasher(HasherMap.word), 1),
      Access.read(inHasher(HasherMap.status), HasherMap.refused.holding(1), HasherMap.refused.holding(1)),
      Access.await(inHasher(HasherMap.status), 0, HasherMap.reading.holding(1)),
      Access.write(inHasher(HasherMap.word), littleEndian(extra)),
      Access.write(inHasher(HasherMap.tail), littleEndian(tail)),
      Access.write(inHasher(HasherMap.end), 3)
    )
    val end = memory.base + memory.bytes
    val refused = Seq[(BigInt, BigInt)](
      (end - 64, 2),
      (memory.base - 64, 1),
      (end, 1),
      (page, 0),
      (page, 1 << 22),
      (page, BigInt(1) << 63)
    )
    words.zipWithIndex.map { case (word, i) => Access.write(page + 8 * i, word) } ++ give(shared, 1) ++
      Seq(Access.read(inHasher(HasherMap.id), BigInt("4861756265726b36", 16)), Access.deniedRead(page)) ++
      Seq(1, 2).flatMap(_ =>
        all ++ Seq(Access.await(inHasher(HasherMap.status), HasherMap.done.holding(1), 0xf)) ++
          digestIs(messages(inPage ++ extra ++ tail))
      ) ++
      // The end of a message leaves nothing in TAIL
      Seq(
        Access.write(inHasher(HasherMap.end), 3),
        Access.await(inHasher(HasherMap.status), HasherMap.done.holding(1), 0xf)
      ) ++
      digestIs(messages(new Array[Byte](3))) ++
      refused.flatMap { case (address, lines) =>
        hash(address, lines) ++ Seq(hasherIs(HasherMap.done, HasherMap.refused))
      } ++ hash(page, 1) ++ digestIs(none) ++ aborted ++ digestIs(none) ++ hash(page, 2) ++ Seq(
        Access.await(inHasher(HasherMap.status), 0, HasherMap.reading.holding(1)),
        Access.write(inHasher(HasherMap.end), 0),
        hasherIs(HasherMap.done)
      ) ++ digestIs(messages(inPage)) ++
      // Behind its end a message gets nothing
      hash(page, 2) ++ Seq(Access.write(inHasher(HasherMap.end), 0)) ++ hash(page, 1) ++
      Seq(hasherIs(HasherMap.done, HasherMap.refused)) ++ digestIs(messages(inPage))
  }

  private def inClearer(of: Register): BigInt = ClearerMap.all.base + of.offset
  private def clearerIs(flags: BitField*): Access =
    Access.await(inClearer(ClearerMap.status), flags.map(_.holding(1)).sum, 3)
  private def clearPage(page: BigInt): Access = Access.write(inClearer(ClearerMap.page), page)

  // The last page, a context's, between others that stay as they are
  private val clears = {
    val words = Seq(0, 8, 0x38, 0x40, 0x800, 0xfc0, 0xff8)
    def holds(page: BigInt, seed: Int) =
      words.map(offset => Access.read(page + offset, if (seed == 0) 0 else seed + offset))
    val end = memory.base + memory.bytes
    Seq(shared -> 3, private1 -> 5, public -> 7).flatMap { case (page, seed) =>
      words.map(offset => Access.write(page + offset, seed + offset))
    } ++ give(shared, 1) ++ Seq(Access.read(inClearer(ClearerMap.id), BigInt("4861756265726b37", 16))) ++
      Seq(end, memory.base - 0x1000, shared + 8, shared + (BigInt(1) << 40), device).flatMap(wrong =>
        Seq(clearPage(wrong), clearerIs(ClearerMap.refused))
      ) ++ Seq(
        clearPage(shared),
        // Another page waits for this one
        clearPage(public),
        Access.read(inClearer(ClearerMap.status), 3, 3),
        clearerIs(ClearerMap.refused)
      ) ++ denied(shared) ++ activate(0, 1) ++ holds(shared, 0) ++ holds(private1, 5) ++ holds(public, 7) ++
      Seq(clearPage(public | ClearerMap.slowly.holding(1)), clearerIs()) ++ holds(public, 0) ++ holds(private1, 5)
  }

  // Of a page whose last line memory denies, or returns corrupt: no digest, and nothing that follows begins a message
  private def hashFails(page: BigInt) =
    hash(page, 64) ++ Seq(hasherIs(HasherMap.failed)) ++ hash(public, 1) ++
      Seq(
        hasherIs(HasherMap.failed, HasherMap.refused),
        Access.write(inHasher(HasherMap.end), 0),
        hasherIs(HasherMap.failed, HasherMap.refused)
      ) ++ digestIs(none) ++ aborted ++
      // A line and the one that is denied, END before it has come
      hash(page + 0xf80, 2) ++ Seq(
        Access.write(inHasher(HasherMap.end), 0),
        hasherIs(HasherMap.failed)
      ) ++ digestIs(none) ++
      aborted ++ Seq(
        Access.write(inHasher(HasherMap.end), 0),
        hasherIs(HasherMap.done)
      ) ++ digestIs(messages(Array()))

  // What memory denies is not cleared
  private val fails = {
    val after = Seq(shared, bad, shared)
    hashFails(bad) ++ hashFails(poisoned) ++
      after.scanLeft(0)((cleared, page) => if (page == bad) cleared else cleared + 1).tail.zip(after).flatMap {
        case (cleared, page) =>
          Seq(
            clearPage(page),
            clearerIs(),
            Access.read(inClearer(ClearerMap.status), ClearerMap.cleared.holding(cleared))
          )
      }
  }

  private val provided = Seq(Access.read(register(identity), 1)) ++ ContextMap.secret.zipWithIndex.map {
    case (word, i) =>
      Access.read(register(word), (GuardBench.secret >> (64 * i)) & ((BigInt(1) << 64) - 1))
  } ++ Seq(0, 1, 2).map(more => Access.read(register(random), firstWord + more))

  /** Tile and other master wait for each other by a word of public memory, and before by one of the device. */
  private val flag = public + 0x100
  private def meets(number: Int) = Access.await(device + 0x10, number, 0xff)
  private def comes(number: Int) = Access.write(device + 0x10, number)
  private val closedToOthers = Seq(
    Access.read(register(ContextMap.others), 0),
    meets(1),
    Access.read(register(ContextMap.denial), denial(otherMaster, 0, write = false)),
    Access.write(register(clear), 1),
    Access.write(register(ContextMap.others), 0xfe),
    comes(2),
    meets(3),
    openToOthers,
    // It stays open
    Access.write(register(ContextMap.others), 0),
    Access.read(register(ContextMap.others), 1),
    Access.write(register(clear), 1),
    comes(4)
  )
  private val isClosed = Seq(public, public + 0x1000, private1, shared).flatMap(denied)
  private val comeTooEarly = isClosed ++ Seq(comes(1), meets(2)) ++ isClosed ++ Seq(comes(3), meets(4))
  private val ofMicrocode = Seq(MicrocodeMemory.address.base, MicrocodeMemory.address.max - 7)
  private val forOthers =
    closedToOthers ++ free(shared, 3) ++ ofMicrocode.map(Access.write(_, 7)) ++ give(shared, 1) ++ activate(0, 1) ++
      Seq(Access.write(flag, 1), Access.await(flag, 2, (1 << 8) - 1)) ++
      ofMicrocode.map(Access.read(_, 7)) ++ Seq(
        Access.read(shared + 0x800, 0x803),
        Access.read(register(ContextMap.denial), denial(otherMaster, 0, write = false)),
        Access.read(register(status), 1)
      )
  private val other = comeTooEarly ++ Seq(Access.await(flag, 1, 0xff)) ++ denied(shared) ++ free(private1, 5) ++
    (Seq(owner, status, id, random, ContextMap.secret.head, ContextMap.secret.last).map(register) ++
      (Seq(
        inHasher(HasherMap.digest.head),
        inClearer(ClearerMap.status),
        inClearer(ClearerMap.page)
      ) ++ ofMicrocode)).flatMap(r =>
      Seq(Access.deniedRead(r), Access.deniedWrite(r))
    ) ++
    Seq(Access.write(device, 1), Access.read(device, 1), Access.write(flag, 2))
  private val scripts =
    Seq(
      geometryShown,
      owners,
      wrongWrites,
      log,
      hashes,
      clears,
      fails,
      provided
    ).map(_ -> Seq[Access]()) :+ (forOthers -> other)

  private lazy val guarded = verilate("context-guard") {
    val bench = LazyModule(new GuardBench(caches, operations = 400, (setUp(caches) -> Nil) +: scripts))
    bench.module
  }
  private def follow(script: Seq[Access]): Unit =
    guarded.run(limit = 100000, select = 1 + scripts.map(_._1).indexOf(script))

  behavior of "guards of secure contexts"

  it should "show their geometry" in follow(geometryShown)
  // covers: soc.guard
  it should "let a tile access pages that are nobody's or its context's, and no others" in follow(owners)
  it should "refuse pages and SPIDs that do not exist, and change nothing" in follow(wrongWrites)
  it should "show the processor's secret, and each random word once" in follow(provided)
  it should "keep the first denial, and who was denied what" in follow(log)
  it should "let the hasher read a page of a context, and show its digest" in follow(hashes)
  it should "let the clearer clear a page of a context, and that alone" in follow(clears)
  it should "tell of what memory denies the hasher and the clearer, or returns corrupt" in follow(fails)
  // covers: soc.other-masters
  it should "deny other masters memory until it is opened to them, then check them, and keep them from registers and microcode" in follow(
    forOthers
  )
  // covers: soc.coherent-guard
  it should "leave caches of one context coherent, give ones to one of another, and let nothing of it out" in
    (1 to 4).foreach(seed => guarded.run(limit = 400000, seed = seed))
  it should "answer for the context of the moment, and give a page away when other masters have left it" in {
    val switch = verilate("context-guard-switch") {
      val bench = LazyModule(new SwitchBench(turns = 100))
      bench.module
    }
    Seq(1, 2, 3).foreach(seed => switch.run(limit = 400000, seed = seed))
  }
  it should "take back a line before the grant of another is acknowledged" in {
    val late = verilate("context-guard-late") {
      val bench = LazyModule(new LateBench)
      bench.module
    }
    Seq(0, 1).foreach(page => late.run(limit = 20000, select = page))
  }
}
