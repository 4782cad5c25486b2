package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite
import hauberk.memory.port.{MemoryPort, MemoryPortParams}
import hauberk.memory.common.{AlarmCause, KeySlot, RegionParams}
import hauberk.memory.counter.CounterHint
import hauberk.memory.region.{RegionTable, RegionWrite}

/** Commands, each a one-cycle pulse but `imageBlocks` and `halt`. */
class EngineControl(val addressBits: Int, val blockOffsetBits: Int) extends Bundle {

  /** Start serving requests. One-way until reset, and ignored until `initialised` and both keys are usable. */
  val arm = Bool()

  /** Write everything that is dirty back to memory, and initialise every counter line that no access has touched. */
  val flush = Bool()

  /** Verify all that was read until now: the alarm follows, or `checking` falls without it. With a log hash, a check of the log. Not of schemes that verify
    * before use, nor without integrity.
    */
  val check = Bool()

  /** Another engine of the protector has halted: deny what comes from now on. */
  val halt = Bool()

  /** Blocks of the image, from block 0 on; held from arming on. Its tags are bound to it, so that a false one makes every
    * package block fail.
    */
  val imageBlocks = UInt((addressBits - blockOffsetBits + 1).W)
}

/** State of an engine. */
class EngineStatus(val addressBits: Int) extends Bundle {

  /** The state on the chip is cleared, so that the engine can be armed. */
  val initialised = Bool()
  val usable = Vec(KeySlot.count, Bool())
  val armed = Bool()
  val flushing = Bool()
  val halted = Bool()

  /** Unverified data are in use: exports wait. */
  val unverified = Bool()

  /** Memory is being re-encrypted under a new key. */
  val rekeying = Bool()

  /** A check is under way. */
  val checking = Bool()
  val alarm = Bool()
  val cause = UInt(AlarmCause.width.W)

  /** Bank-local address of the access that raised the alarm. */
  val address = UInt(addressBits.W)
}

/** Ports of a [[MemoryProtectionEngine]].
  *
  * @param takesHints a program steers the counters
  * @param tellsBusy something outside stops the clock of the engine while it is idle
  * @param asksOwners width of the number of a read in flight, if the engine asks whether its page has an owner
  */
class EngineIO(
    val clientParams: MemoryPortParams,
    val memoryParams: MemoryPortParams,
    val keyBits: Int,
    val regions: RegionParams = RegionParams(),
    val takesHints: Boolean = false,
    val tellsBusy: Boolean = false,
    val asksOwners: Option[Int] = None
) extends Bundle {

  /** Plaintext, towards the caches. */
  val client = Flipped(new MemoryPort(clientParams))

  /** Ciphertext and metadata, towards DRAM. */
  val memory = new MemoryPort(memoryParams)

  /** Key slots ([[KeySlot]]), write-only. */
  val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, keyBits)))

  /** Erase a slot; everything under it is lost. */
  val keyZeroize = Flipped(Valid(UInt(log2Ceil(KeySlot.count).W)))
  val control = Input(new EngineControl(clientParams.addressBits, clientParams.blockOffsetBits))

  /** The slot that needs a fresh random key, until it has one. */
  val keyWanted = Valid(UInt(KeySlot.width.W))

  /** Contents of the table of regions; ignored from arming on. */
  val regionWrite =
    if (regions.entries == 0) None
    else Some(Flipped(Valid(new RegionWrite(regions, RegionTable.granuleBits(regions, clientParams)))))

  /** What the program says of its next accesses, which must not come before it; [[CounterHint]]. Never refused. */
  val hint = if (takesHints) Some(Flipped(Valid(new CounterHint(clientParams.blockIndexBits)))) else None

  /** Which reads are of pages with an owner; of [[hauberk.memory.integrity.Verification.ByOwner]]. */
  val owner = asksOwners.map(entryBits => new OwnerPort(entryBits, clientParams.blockIndexBits))
  val status = Output(new EngineStatus(clientParams.addressBits))
  val statistics = Output(new EngineStatistics)

  /** Registers may change in the next cycle though nothing comes in. */
  val busy = if (tellsBusy) Some(Output(Bool())) else None
}
