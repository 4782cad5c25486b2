package hauberk.config

import hauberk.crypto.{AesArchitecture, SBoxStyle}
import hauberk.fault.DetectFaults
import hauberk.memory.common.{MetadataCacheParams, Refusal}
import hauberk.memory.counter._
import hauberk.memory.integrity._
import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryProtectorParams, MemoryRegion}

/** Changes the scheme of the memory protector of the fragments to its right.
  *
  * @param fragment name of this fragment
  * @param change   the new scheme, of the old one
  */
class WithProtection(fragment: String, change: ProtectionParams => ProtectionParams)
    extends Edit(MemoryProtectionKey, fragment, "a memory protector")((protector: MemoryProtectorParams) =>
      protector.copy(protection = change(protector.protection))
    )

/** Latency of AES in cycles, in total; the papers assume 40 to 102. */
class WithCipherLatency(cycles: Int)
    extends WithProtection("WithCipherLatency", params => params.copy(cipher = params.cipher.withLatency(cycles)))

/** Area of AES against its rate: each block passes the rounds in hardware so many times, and every so many cycles the cipher takes one. Its latency
  * stays.
  *
  * @param passes 1 for a pipeline of all rounds
  */
class WithCipherPasses(passes: Int)
    extends WithProtection(
      "WithCipherPasses",
      params => {
        val architecture = if (passes == 1) AesArchitecture.Pipelined(1) else AesArchitecture.Folded(passes)
        params.copy(cipher = params.cipher.copy(architecture = architecture))
      }
    )

/** S-boxes of AES as tables, for the look-up tables and ROMs of an FPGA. */
class WithTableSBoxes
    extends WithProtection(
      "WithTableSBoxes",
      params => params.copy(cipher = params.cipher.copy(sBox = SBoxStyle.Table))
    )

/** Stops the clocks of empty ciphers where the Verilog macro HAUBERK_CLOCK_GATES is defined, as this project's simulators do; elsewhere, as on an
  * FPGA, nothing changes.
  */
class WithGatedCiphers
    extends WithProtection("WithGatedCiphers", params => params.copy(cipher = params.cipher.copy(gated = true)))

/** Stops the clocks of idle engines, too. */
class WithGatedEngines
    extends WithProtection(
      "WithGatedEngines",
      params => params.copy(cipher = params.cipher.copy(gated = true), gated = true)
    )

/** Number of reads and writes in flight in each engine; others wait. More than what is above has under way are area without use.
  *
  * @param reads  reads in flight, at least 1, or 2 where memory is re-encrypted
  * @param writes writes in flight, likewise
  */
class WithTransactions(reads: Int, writes: Int)
    extends WithProtection("WithTransactions", params => params.copy(reads = reads, writes = writes))

/** Cycles for which data may be in use without their verdict, under a scheme that verifies after use: more raise the alarm. Fewer leave an attacker who
  * schedules memory less time; memory that is slower than that is an alarm, too.
  *
  * @param cycles even, at least [[ProtectionParams.leastVerdictTimeout]]
  */
class WithVerdictTimeout(cycles: Int)
    extends WithProtection("WithVerdictTimeout", _.copy(verdictTimeout = cycles))

/** Writes are acknowledged when the engine has them and their counters are fixed, and not when memory has them. A core or cache then does not wait
  * for the encryption of what it evicts. Memory that refuses an acknowledged write halts the engine.
  */
class WithPostedWrites extends WithProtection("WithPostedWrites", _.copy(postedWrites = true))

/** Notices faults inside the chip ([[hauberk.fault]]), in tables of instruction decryption and secure contexts, too, and tests the source of keys. */
class WithFaultChecks extends WithProtection("WithFaultChecks", _.copy(faults = DetectFaults))

/** Size of the on-chip storage for counters, in lines of a block of 64 bytes.
  *
  * @param bytes size of the timestamp cache, or of the scheme's own counter storage, in bytes
  * @param ways  associativity; 0 for a fully associative cache
  */
class WithCounterCache(bytes: Int, ways: Int)
    extends WithProtection(
      "WithCounterCache",
      params =>
        params.copy(counters =
          CacheSizes.resized("WithCounterCache", params.counters.resize(bytes, ways), params.counters.name)
        )
    )

/** Size of the on-chip storage for tags, or for the versions of a log hash; parameters as those of [[WithCounterCache]]. */
class WithTagCache(bytes: Int, ways: Int)
    extends WithProtection(
      "WithTagCache",
      params =>
        params.copy(integrity = CacheSizes.resized("WithTagCache", params, _.resizeTags(_.resize(bytes, ways))))
    )

/** Size of the on-chip storage for each level of tree nodes; parameters as those of [[WithCounterCache]]. */
class WithNodeCache(bytes: Int, ways: Int)
    extends WithProtection(
      "WithNodeCache",
      params =>
        params.copy(integrity = CacheSizes.resized("WithNodeCache", params, _.resizeNodes(_.resize(bytes, ways))))
    )

/** Width of timestamps in bits, 2 to 64: fewer let TIMER reach its end sooner, and take less of memory if they fill fewer whole bytes. */
class WithTimestampBits(bits: Int)
    extends WithProtection(
      "WithTimestampBits",
      params =>
        params.copy(counters = ChangedTimestamps.timer("WithTimestampBits", params).copy(timestampBits = bits))
    )

/** Re-encrypts all memory under a new key, in the background, when this number of timestamps is left (AEGIS section 6.3).
  *
  * @param reserve timestamps that the program may use up until it is done; writes beyond them wait
  */
class WithRekeying(reserve: Long) extends WithProtection("WithRekeying", ChangedTimestamps.rekeying(_, reserve))

/** A timestamp of its own for every block, which counts the block's writes; and the counter tree that this needs, if the scheme has none
  * (AEGIS section 6.3). What is verified in the background, or before it is used, stays so.
  */
class WithPerAddressTimestamps
    extends WithProtection(
      "WithPerAddressTimestamps",
      ChangedTimestamps.guarded("WithPerAddressTimestamps", _, TimestampUpdate.PerAddress)
    )

/** The same, but a write whose timestamp is not on the chip takes one above all that were given, and need not know its own. */
class WithMixedTimestamps
    extends WithProtection(
      "WithMixedTimestamps",
      ChangedTimestamps.guarded("WithMixedTimestamps", _, TimestampUpdate.Mixed)
    )

/** Gives the memory protector of the fragments to its right one more region. */
class WithMemoryRegion(fragment: String, region: => MemoryRegion)
    extends Edit(MemoryProtectionKey, fragment, "a memory protector")((protector: MemoryProtectorParams) =>
      protector.copy(regions = region +: protector.regions)
    )

/** Leaves a part of the protected memory in plaintext: for what DRAM may show, and may change (Yang section 4.3). Several are allowed.
  *
  * @param base  bus address of its first byte
  * @param bytes its size; both ends are multiples of a granule of 4 KiB in every bank
  */
class WithPlaintextRegion(base: Long, bytes: Long)
    extends WithMemoryRegion("WithPlaintextRegion", MemoryRegion.plaintext(base, bytes))

/** Gives a part of the protected memory to a second context, which has a dynamic key of its own. All such parts are of that one context.
  * Parameters as those of [[WithPlaintextRegion]].
  */
class WithContextRegion(base: Long, bytes: Long)
    extends WithMemoryRegion("WithContextRegion", MemoryRegion.ofContext(base, bytes))

/** Lets tiles use memory off the chip that the memory protector does not stand before, such as memory behind serial TileLink. It is in plaintext. */
class WithOtherMemoryInTheClear
    extends Edit(MemoryProtectionKey, "WithOtherMemoryInTheClear", "a memory protector")(
      (protector: MemoryProtectorParams) =>
        protector.copy(otherMemory = true)
    )

/** Schemes with caches of other sizes, or the refusal of a cache that a scheme has not. */
private[config] object CacheSizes {
  def resized(fragment: String, params: ProtectionParams, resize: Integrity => Option[Integrity]): Integrity =
    resized(fragment, resize(params.integrity), s"a scheme whose integrity is '${params.integrity.name}'")

  def resized[T](fragment: String, other: Option[T], scheme: String): T = other.getOrElse(
    throw new Refusal(Seq(s"$fragment sets the size of a cache that $scheme has not: leave $fragment out"))
  )
}

/** Changes the timestamps of a scheme. */
private[config] object ChangedTimestamps {
  def timer(fragment: String, params: ProtectionParams): Timestamps = params.counters match {
    case timer: Timestamps => timer
    case other => hasNone(fragment, other)
  }

  def rekeying(params: ProtectionParams, reserve: Long): ProtectionParams = {
    val timer = ChangedTimestamps.timer("WithRekeying", params)
    require(
      params.integrity.followsRekeying && !params.integrity.takesOldValues,
      s"WithRekeying is for a scheme without integrity or with a hash tree, and this one's integrity is " +
        s"'${params.integrity.name}': leave WithRekeying out"
    )
    params.copy(counters = timer.copy(reserve = Some(reserve)))
  }

  /** Timestamps that come from memory, and a counter tree over them. */
  def guarded(fragment: String, params: ProtectionParams, update: TimestampUpdate): ProtectionParams = {
    val timer = params.counters match {
      case timer: Timestamps => timer
      case split: SplitCounters => Timestamps(cache = split.cache)
      case other => hasNone(fragment, other)
    }
    require(
      timer.reserve.isEmpty,
      s"$fragment brings a counter tree, which is under the key that WithRekeying would replace: leave one of the two out"
    )
    val tree = params.integrity match {
      case NoIntegrity => ProtectionParams.bonsaiTree.integrity
      case mac: BlockMac => BonsaiTree(tags = mac.tags)
      case tree: BonsaiTree => tree
      case other =>
        throw new Refusal(
          Seq(s"$fragment brings a counter tree, and this scheme's integrity is '${other.name}': leave $fragment out")
        )
    }
    // The default fills its place in a line; a width that was chosen is refused by the timer if it does not leave room for a MAC
    val bits =
      if (timer.timestampBits == Timestamps().timestampBits) Timestamps.bitsBesideMac else timer.timestampBits
    params.copy(counters = timer.copy(timestampBits = bits, update = update), integrity = tree)
  }

  private def hasNone(fragment: String, counters: CounterStoreParams): Nothing =
    throw new Refusal(
      Seq(s"$fragment is about timestamps, and this scheme has ${counters.name}: leave $fragment out")
    )
}
