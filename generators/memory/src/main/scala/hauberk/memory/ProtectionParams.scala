package hauberk.memory

import chisel3.util.{isPow2, log2Ceil}
import hauberk.crypto.AesParams

/** Geometry of a counter cache: the time stamp cache of AEGIS section 6.3. Lines are blocks of neighbouring counters. */
case class CounterCacheParams(
    /** Lines held, each of one block's bytes (AEGIS table 2: 32). */
    lines: Int = 32,
    /** Associativity; `lines` for a fully associative cache. */
    ways: Int = 4,
    /** Line fetches that may be outstanding. */
    misses: Int = 4
) {
  require(lines > 0 && isPow2(lines), s"a counter cache of $lines lines cannot be built: make lines a power of two")
  require(
    ways > 0 && lines % ways == 0 && isPow2(lines / ways),
    s"$ways ways do not divide $lines counter cache lines into a power-of-two number of sets: change ways"
  )
  require(misses > 0 && misses <= lines, s"misses is $misses: it must be between 1 and the $lines lines of the cache")
  val sets: Int = lines / ways
}

/** What a user chooses: one member of every policy. Resolved by [[Protection]] into a checked, immutable object.
  *
  * @param mode     how a block becomes ciphertext
  * @param counters where the counter of a block comes from and is kept
  * @param cipher   the AES core that makes masks; its direction and tag width are set by the mode
  * @param reads    reads in flight
  * @param writes   writes in flight
  */
case class ProtectionParams(
    mode: Mode = OneTimePad,
    counters: CounterStoreParams = GlobalTimer(),
    cipher: AesParams = AesParams(),
    reads: Int = 16,
    writes: Int = 16
)

/** Named points of the parameter space, each built from another by `copy`. */
object ProtectionParams {

  /** AEGIS section 6.3 with the sizes of its table 2, and an AES core of eleven cycles. */
  val aegisOtp: ProtectionParams = ProtectionParams()

  /** Direct encryption, AEGIS section 6.2, the scheme of XOM: CBC within a block, stored initial vector. */
  val xom: ProtectionParams = aegisOtp.copy(mode = DirectCbc())
}

/** The stripe of memory one engine guards.
  *
  * @param localBytes size of the stripe
  * @param beatBytes  width of the memory bus
  * @param blockBytes cache block size
  * @param idBits     width of a client's transaction identifier
  * @param engine     number of the engine; part of every AES input, so that engines under one key never share a pad
  */
case class Stripe(localBytes: BigInt, beatBytes: Int = 8, blockBytes: Int = 64, idBits: Int = 4, engine: Int = 0)

/** User parameters and geometry, resolved and checked once; what the hardware is built from. */
case class Protection(params: ProtectionParams, stripe: Stripe) {
  require(
    params.reads > 0 && params.writes > 0,
    s"reads (${params.reads}) and writes (${params.writes}) in flight must both be at least 1"
  )
  require(
    stripe.engine >= 0 && stripe.engine < 256,
    s"engine number ${stripe.engine} does not fit the 8 bits it has in an AES input: use at most 256 engines"
  )
  require(
    stripe.blockBytes % 16 == 0,
    s"blockBytes is ${stripe.blockBytes}: it must be a multiple of the AES block, 16"
  )

  val layout: MetadataLayout = MetadataLayout(stripe.localBytes, stripe.blockBytes, params.counters.counterBytes)

  /** AES blocks in a protected block. */
  val chunks: Int = stripe.blockBytes / 16
  require(
    isPow2(chunks) && chunks >= 2,
    s"a block of ${stripe.blockBytes} bytes has $chunks AES blocks: use 32, 64, 128..."
  )
  require(
    stripe.beatBytes <= 16,
    s"beatBytes is ${stripe.beatBytes}: an engine moves at most one AES block (16 bytes) a cycle"
  )

  /** Transactions in flight: reads come first, then writes. */
  val entries: Int = params.reads + params.writes
  val entryBits: Int = math.max(1, log2Ceil(entries))
  val counterBits: Int = params.counters.counterBits

  val client: MemoryPortParams =
    MemoryPortParams(log2Ceil(stripe.localBytes), stripe.beatBytes, stripe.blockBytes, stripe.idBits)

  /** Inside: one identifier bit more tells the engine's own transactions from the client's. */
  val core: MemoryPortParams = client.copy(idBits = client.idBits + 1)

  /** Identifiers on the memory side: one a transaction, one a counter fetch, one for write-backs of counters. */
  val fetchId: Int = entries
  val evictId: Int = fetchId + params.counters.misses
  val memoryIds: Int = Protection.memoryIds(params)
  val memory: MemoryPortParams = client.copy(idBits = log2Ceil(memoryIds))

  val cipher: AesParams = params.mode.cipher(this)
}

object Protection {

  /** Identifiers on the memory side; no geometry enters, so that a bus adapter knows them before it knows the memory. */
  def memoryIds(params: ProtectionParams): Int = params.reads + params.writes + params.counters.misses + 1
}
