package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Shape of a [[MemoryPort]].
  *
  * @param addressBits width of a bank-local byte address
  * @param beatBytes   bytes moved in one cycle
  * @param blockBytes  protected block size and largest transfer, in bytes (64: one cache line)
  * @param idBits      width of the transaction identifier
  */
case class MemoryPortParams(addressBits: Int, beatBytes: Int, blockBytes: Int, idBits: Int) {
  require(isPow2(beatBytes) && beatBytes >= 8, s"beatBytes is $beatBytes: it must be a power of two of at least 8")
  require(
    isPow2(blockBytes) && blockBytes >= beatBytes,
    s"blockBytes is $blockBytes: it must be a power of two of at least beatBytes ($beatBytes)"
  )
  require(idBits > 0, s"idBits is $idBits: at least one identifier bit is needed")

  val blockBeats: Int = blockBytes / beatBytes
  val beatBits: Int = beatBytes * 8
  val blockOffsetBits: Int = log2Ceil(blockBytes)
  val beatOffsetBits: Int = log2Ceil(beatBytes)

  /** Width of the number of a beat in its block. */
  val beatIndexBits: Int = math.max(1, log2Ceil(blockBeats))
  val blockIndexBits: Int = addressBits - blockOffsetBits
  val sizeBits: Int = log2Ceil(blockOffsetBits + 1)
}

/** One beat of a request. A write of more than one beat is a burst: its beats are consecutive, and every field but `mask`,
  * `data` and `corrupt` keeps its value throughout. A read is one beat. Transfers are naturally aligned and never cross a block.
  */
class MemoryRequest(val params: MemoryPortParams) extends Bundle {

  /** Write when set, else read. */
  val write = Bool()

  /** Set on a write whose mask may have holes; clear promises that every byte of the transfer is written. */
  val partial = Bool()

  /** Bank-local byte address, aligned to the transfer. */
  val address = UInt(params.addressBits.W)

  /** Base-2 logarithm of the transfer in bytes. */
  val size = UInt(params.sizeBits.W)
  val id = UInt(params.idBits.W)

  /** Byte lanes written by this beat; lane 0 is the byte at a multiple of beatBytes. */
  val mask = UInt(params.beatBytes.W)
  val data = UInt(params.beatBits.W)

  /** The data of this beat of a write are poisoned: the written block must stay poisoned. */
  val corrupt = Bool()
}

/** One beat of a response: a write has one, a read as many as its size takes, consecutive. */
class MemoryResponse(val params: MemoryPortParams) extends Bundle {
  val write = Bool()
  val id = UInt(params.idBits.W)
  val size = UInt(params.sizeBits.W)
  val data = UInt(params.beatBits.W)

  /** The transfer was refused, and the data means nothing: from the first beat on, or from a later beat to the last. */
  val denied = Bool()
}

/** A block-level memory port, seen from the requester: bus-neutral, but with the burst rules of TileLink-UH, so that an
  * adapter is wiring. A request may be withdrawn before it is accepted. Responses come in any order of identifiers.
  */
class MemoryPort(val params: MemoryPortParams) extends Bundle {
  val request = Decoupled(new MemoryRequest(params))
  val response = Flipped(Decoupled(new MemoryResponse(params)))

  /** For a requester that never asks. */
  def idle(): Unit = {
    request.valid := false.B
    request.bits := 0.U.asTypeOf(new MemoryRequest(params))
    response.ready := true.B
  }
}

/** Position inside bursts, for one direction of a port. */
object Burst {

  /** Beats, less one, of a data-carrying transfer of `size`. */
  def lastBeat(size: UInt, params: MemoryPortParams): UInt = {
    val beats = (0 to params.blockOffsetBits).map { s =>
      (size === s.U) -> (math.max(1, (1 << s) / params.beatBytes) - 1).U(params.beatIndexBits.W)
    }
    MuxCase(0.U(params.beatIndexBits.W), beats)
  }

  /** Follows the beats of a channel.
    *
    * @param fire    a beat moves in this cycle
    * @param lastIdx beats less one of the transfer it belongs to
    * @return (this is a first beat, this is a last beat, number of the beat)
    */
  def track(fire: Bool, lastIdx: UInt): (Bool, Bool, UInt) = {
    val beat = RegInit(0.U(lastIdx.getWidth.W))
    val last = beat === lastIdx
    when(fire) { beat := Mux(last, 0.U, beat + 1.U) }
    (beat === 0.U, last, beat)
  }
}

/** The part of a request that outlives its beats. */
class MemoryRequestHeader(val params: MemoryPortParams) extends Bundle {
  val address = UInt(params.addressBits.W)
  val size = UInt(params.sizeBits.W)
  val id = UInt(params.idBits.W)

  def block: UInt = address >> params.blockOffsetBits

  /** Number within its block of the beat that holds the address. */
  def firstBeat: UInt =
    if (params.blockBeats == 1) 0.U(1.W) else address(params.blockOffsetBits - 1, params.beatOffsetBits)
  def lastBeat: UInt = Burst.lastBeat(size, params)
}

/** Takes the header out of a request. */
object MemoryRequestHeader {
  def apply(params: MemoryPortParams, request: MemoryRequest): MemoryRequestHeader = {
    val header = Wire(new MemoryRequestHeader(params))
    header.address := request.address
    header.size := request.size
    header.id := request.id
    header
  }
}
