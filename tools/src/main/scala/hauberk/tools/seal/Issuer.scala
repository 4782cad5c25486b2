package hauberk.tools.seal

import hauberk.instruction.ReferenceSeal
import hauberk.tools.Hex

/** A secret of 128 bits and the check value that says who issued it. */
case class IssuedCredential(secret: BigInt, check: BigInt)

/** Who knows a processor's secret, and issues credentials for it and one user's token (docs/emu.md). */
case class Issuer(processorSecret: BigInt, tokenSecret: BigInt) {
  def token: IssuedCredential =
    IssuedCredential(tokenSecret, ReferenceSeal.tokenCheck(processorSecret, tokenSecret))

  def application(secret: BigInt, keyId: BigInt): IssuedCredential =
    IssuedCredential(secret, ReferenceSeal.applicationCheck(processorSecret, secret, tokenSecret, keyId))

  def pageKey(secret: BigInt, keyId: BigInt): BigInt =
    ReferenceSeal.pageKey(processorSecret, secret, tokenSecret, keyId)

  /** What the simulator's `--credentials` takes: fuses and token, and nothing of the application. */
  def toJson: ujson.Obj = ujson.Obj(
    "processorSecret" -> Issuer.hex(processorSecret),
    "token" -> ujson.Obj("secret" -> Issuer.hex(token.secret), "check" -> Issuer.hex(token.check))
  )
}

/** Keys as hexadecimal digits. */
object Issuer {
  private def hex(value: BigInt): String = Hex(ReferenceSeal.bytes(value, 16))
}
