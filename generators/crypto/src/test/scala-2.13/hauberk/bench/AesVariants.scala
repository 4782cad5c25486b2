package hauberk.bench

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** The AES cores the bench measures: every key size, direction and S-box, iterative and with one round per stage; encrypting
  * cores that are folded; and a folded core for pads and key unwrapping.
  */
object AesVariants {
  private val unfolded: Seq[AesParams] = for {
    keyBits <- Seq(128, 192, 256)
    direction <- Seq(AesDirection.Encrypt, AesDirection.Decrypt, AesDirection.Both)
    architecture <- Seq(AesArchitecture.Iterative, AesArchitecture.Pipelined(1))
    sBox <- Seq(SBoxStyle.BoyarPeralta, SBoxStyle.Table)
  } yield AesParams(keyBits, direction, architecture, sBox)

  private val folded: Seq[AesParams] = for {
    keyBits <- Seq(128, 192, 256)
    passes <- Seq(2, 4)
  } yield AesParams(keyBits, architecture = AesArchitecture.Folded(passes))

  private val shared = AesParams(architecture = AesArchitecture.Folded(2), direction = AesDirection.Both)

  val all: Seq[AesParams] = unfolded ++ folded :+ shared

  def architectureName(params: AesParams): String = params.architecture match {
    case AesArchitecture.Iterative => "iterative"
    case AesArchitecture.Pipelined(n) => s"pipelined$n"
    case AesArchitecture.Folded(n) => s"folded$n"
  }

  def name(params: AesParams): String =
    Seq(s"aes${params.keyBits}", params.direction, architectureName(params), params.sBox).mkString("-").toLowerCase
}

/** A core whose consumer is always ready, as the memory engines use it: back-pressure then costs nothing. */
class StreamingAes(params: AesParams) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val response = Valid(new AesResponse(params.tagBits))
  })
  private val core = Module(new AesCore(params))
  core.io.request <> io.request
  core.io.response.ready := true.B
  io.response.valid := core.io.response.valid
  io.response.bits := core.io.response.bits
}
