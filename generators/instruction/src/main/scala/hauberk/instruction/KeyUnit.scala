package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** A partial credential (section II-C.3): a secret, and the check value of its issuer for this processor. */
class Credential extends Bundle {
  val secret = UInt(128.W)
  val check = UInt(128.W)
}

/** Contents of the scratchpad, written by the CPU: the application's partial credential, the number of its key, and the key's slot. */
class KeyRequest extends Bundle {
  val application = new Credential
  val keyId = UInt(64.W)
  val slot = UInt(PageMapping.numberBits.W)
}

/** Where the user's token is: it answers `ask` with its credential when it can. */
class TokenPort extends Bundle {
  val present = Input(Bool())
  val ask = Output(Bool())
  val answer = Flipped(Valid(new Credential))
}

/** The secure key management unit, SKU (section II-C.3): makes page keys of the application's partial credential, that of the user's token, and the
  * processor's own secret, and puts them into slots. Nothing of a secret or key leaves it, but to the key table.
  *
  * Everything it computes is KDF(label, context): SP 800-108 in counter mode, one block, on AES-CMAC under the processor's secret,
  * {{{ CMAC(secret, 1 (32 bits) | label (11 bytes) | 0 (8 bits) | context (44 bytes) | 128 (32 bits)) }}}
  *
  * | label         | context                                                            | is |
  * |---------------|--------------------------------------------------------------------|----|
  * | `user token`  | token's secret, 16 bytes; 28 bytes of zero                         | the check value of the token's credential |
  * | `application` | application's secret, 16 bytes; token's secret; key id, 8 bytes; 4 of zero | that of the application's, which so is for one token |
  * | `page key`    | the same                                                           | the page key |
  *
  * A command takes about 200 cycles, and as long as the token needs; one with a wrong or missing credential, or a slot that there is not, ends in an error
  * and no key. A token that is taken away before it has answered is a missing one.
  */
class KeyUnit(val p: EmuParams, sBox: SBoxStyle = SBoxStyle.BoyarPeralta) extends Module {
  val io = IO(new Bundle {
    val secret = Input(UInt(128.W))
    val secretValid = Input(Bool())
    val request = Flipped(Valid(new KeyRequest))
    val busy = Output(Bool())

    /** Of the last command; counts while not `busy`. */
    val error = Output(UInt(EmuError.width.W))
    val token = new TokenPort
    val commit = Valid(new KeyCommit(p))
    val commitError = Input(UInt(EmuError.width.W))
  })
  private val idle :: asking :: token :: application :: page :: Nil = Enum(5)
  private val phase = RegInit(idle)
  private val error = RegInit(EmuError.none.U(EmuError.width.W))
  private val request = Reg(new KeyRequest)
  private val user = Reg(new Credential)
  private val begun = RegInit(false.B)
  private val blockIndex = RegInit(0.U(2.W))
  private val cmac = Module(new Cmac(sBox, p.aesDatapath))

  private val isToken = phase === token
  private val isPage = phase === page
  private val contexts = Seq(
    Mux(isToken, user.secret, request.application.secret),
    Mux(isToken, 0.U(128.W), user.secret),
    Cat(Mux(isToken, 0.U(64.W), request.keyId), 0.U(32.W), 128.U(32.W))
  )
  private val label = Mux(isPage, KeyUnit.pageKey, Mux(isToken, KeyUnit.userToken, KeyUnit.application))
  private val blocks = VecInit(Cat(1.U(32.W), label, 0.U(8.W)) +: contexts)
  private val computes = isToken || phase === application || isPage
  cmac.io.key := io.secret
  cmac.io.start := computes && !begun
  cmac.io.block.valid := computes && begun
  cmac.io.block.bits.block := blocks(blockIndex)
  cmac.io.block.bits.last := blockIndex === 3.U
  when(cmac.io.start && !cmac.io.busy) { begun := true.B }
  when(cmac.io.block.valid && cmac.io.block.ready) { blockIndex := blockIndex + 1.U }

  when(phase === idle && io.request.valid) {
    when(io.secretValid) { request := io.request.bits }
    error := Mux(io.secretValid, EmuError.none.U, EmuError.noProcessorSecret.U)
    phase := Mux(io.secretValid, asking, idle)
    begun := false.B
    blockIndex := 0.U
  }
  io.token.ask := phase === asking
  when(phase === asking) {
    when(!io.token.present) { end(EmuError.noToken.U) }.elsewhen(io.token.answer.valid) {
      user := io.token.answer.bits
      phase := token
    }
  }
  io.commit.valid := isPage && cmac.io.tag.valid
  io.commit.bits.slot := request.slot
  io.commit.bits.key := cmac.io.tag.bits
  when(cmac.io.tag.valid) {
    begun := false.B
    val made = cmac.io.tag.bits
    when(isToken) { check(made === user.check, application, EmuError.badToken.U) }
    when(phase === application) { check(made === request.application.check, page, EmuError.badApplication.U) }
    when(isPage) { end(io.commitError) }
  }
  io.busy := phase =/= idle
  io.error := error

  private def check(good: Bool, next: UInt, otherwise: UInt): Unit =
    when(good) { phase := next }.otherwise { end(otherwise) }
  private def end(result: UInt): Unit = {
    phase := idle
    error := result
    request := 0.U.asTypeOf(request)
    user := 0.U.asTypeOf(user)
  }
}

/** Labels of the key derivation: 11 bytes of ASCII, padded with zeros. */
object KeyUnit {

  /** Bytes of a label of the key derivation. */
  val labelBytes: Int = 11
  private def label(text: String): UInt =
    BigInt(1, text.getBytes("US-ASCII").padTo(labelBytes, 0.toByte)).U((8 * labelBytes).W)
  private def application: UInt = label("application")
  private def userToken: UInt = label("user token")
  private def pageKey: UInt = label("page key")
}
