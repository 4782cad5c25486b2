package hauberk.crypto

import chisel3._
import chisel3.util._
import hauberk.fault.{FaultChecks, NoFaultChecks}

/** A block for an [[AesCipher]], with the number of the key it is to be ciphered under. */
class CipherRequest(val slots: Int, val tagBits: Int) extends Bundle {
  val block = UInt(128.W)
  val slot = UInt(KeyTable.slotBits(slots).W)
  val decrypt = Bool()
  val tag = UInt(tagBits.W)
}

/** AES with its keys: an [[AesCore]] fed from a [[KeyTable]], so that no key ever appears on a port.
  *
  * Latency and rate are those of `params`. A request that names an unusable slot is refused (`ready` stays low) until the slot
  * is usable, so nothing is ever ciphered under a partial or zero key; it holds up the requests behind it. `ready` depends
  * on the request's slot. A block taken before its slot is zeroized is still finished under the old key. The response is
  * zero while it is not valid.
  *
  * @param params the cipher
  * @param slots number of keys
  * @param faults how keys are kept
  */
class AesCipher(val params: AesParams, val slots: Int, faults: FaultChecks = NoFaultChecks) extends Module {
  val io = IO(new Bundle {
    val keyWrite = Flipped(Valid(new KeyWrite(slots, params.keyBits)))
    val zeroize = Flipped(Valid(UInt(KeyTable.slotBits(slots).W)))
    val usable = Output(Vec(slots, Bool()))
    val request = Flipped(Decoupled(new CipherRequest(slots, params.tagBits)))
    val response = Decoupled(new AesResponse(params.tagBits))

    /** Registers may change in the next cycle without a request or a command: a block is inside, the start of a key is being computed, or the clock
      * of a gated core still runs. Always, without a gate.
      */
    val busy = Output(Bool())

    /** A key is wrong, and so not usable. */
    val faulty = Output(Bool())
  })

  private val keys = Module(new KeyTable(slots, params.keyBits, 1, params.direction, params.sBox, faults))
  keys.io.write := io.keyWrite
  keys.io.zeroize := io.zeroize
  io.usable := keys.io.usable
  io.faulty := keys.io.faulty
  private val key = keys.io.read(0)
  key.slot := io.request.bits.slot
  key.decrypt := io.request.bits.decrypt

  private val (request, response, runs) =
    if (params.gated) {
      val core = Module(new GatedAesCore(params))
      core.io.wake := io.zeroize.valid || io.keyWrite.valid
      (core.io.request, core.io.response, core.io.running)
    } else {
      val core = Module(new AesCore(params))
      (core.io.request, core.io.response, true.B)
    }
  io.busy := keys.io.busy || runs
  request.valid := io.request.valid && key.usable
  request.bits.block := io.request.bits.block
  request.bits.key := key.key
  request.bits.decrypt := io.request.bits.decrypt
  request.bits.tag := io.request.bits.tag
  io.request.ready := request.ready && key.usable

  io.response.valid := response.valid
  io.response.bits.block := Mux(response.valid, response.bits.block, 0.U)
  io.response.bits.tag := response.bits.tag
  response.ready := io.response.ready
}
