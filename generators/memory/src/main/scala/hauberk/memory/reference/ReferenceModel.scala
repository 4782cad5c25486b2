package hauberk.memory.reference

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.mode.Mode

/** The bit-exact model of the engine's memory contents, on the JDK's cipher: the vendor side of a package, the judge of a memory dump,
  * and what the RTL is compared with. It shares with the hardware only [[MetadataLayout]] and the names of the members of policies; the layout
  * of AES inputs is written out anew. Metadata have models of their own: [[ReferenceCounters]], [[ReferenceTag]], [[ReferenceTree]],
  * [[ReferenceHashTree]], [[ReferenceLogHash]].
  *
  * @param mode   name of the mode
  * @param layout address layout of the bank
  * @param engine number of the engine the bank belongs to
  */
class ReferenceModel(mode: String, val layout: MetadataLayout, engine: Int) {
  def this(mode: Mode, layout: MetadataLayout, engine: Int) = this(mode.name, layout, engine)

  /** Encrypt one block as a write with this counter does. */
  def encrypt(keys: ProtectionKeys, block: BigInt, counter: BigInt, plain: Array[Byte]): Array[Byte] = {
    val key = checked(keys(counter), plain)
    mode match {
      case "one-time pad" | "one-time pad or XTS" => ReferenceCipher.oneTimePad(key, engine, block, counter, plain)
      case "direct CBC" => ReferenceCipher.encryptCbc(key, engine, block, counter, plain)
      case "XTS" => ReferenceCipher.encryptXts(key, engine, block, plain)
      case _ => unknown
    }
  }

  /** Decrypt one block as a read that finds this counter does. */
  def decrypt(keys: ProtectionKeys, block: BigInt, counter: BigInt, stored: Array[Byte]): Array[Byte] = {
    val key = checked(keys(counter), stored)
    mode match {
      case "one-time pad" | "one-time pad or XTS" => ReferenceCipher.oneTimePad(key, engine, block, counter, stored)
      case "direct CBC" => ReferenceCipher.decryptCbc(key, engine, block, counter, stored)
      case "XTS" => ReferenceCipher.decryptXts(key, engine, block, stored)
      case _ => unknown
    }
  }

  /** Encrypt one block that has no counter because there is no room for one (Yang section 4.1). */
  def encryptDirect(keys: ProtectionKeys, block: BigInt, plain: Array[Byte]): Array[Byte] =
    ReferenceCipher.encryptXts(checked(keys.dynamicKey, plain), engine, block, plain)

  def decryptDirect(keys: ProtectionKeys, block: BigInt, stored: Array[Byte]): Array[Byte] =
    ReferenceCipher.decryptXts(checked(keys.dynamicKey, stored), engine, block, stored)

  private def checked(key: ReferenceKey, in: Array[Byte]): ReferenceKey = {
    require(in.length == layout.blockBytes, s"a block has ${layout.blockBytes} bytes, not ${in.length}")
    key
  }

  private def unknown = throw new IllegalArgumentException(
    s"there is no reference model of the mode '$mode', only of ${ReferenceModel.modes.mkString(", ")}"
  )
}

/** Names of the modes, as descriptions of SoCs write them. */
object ReferenceModel {
  val modes: Seq[String] = Seq("one-time pad", "direct CBC", "XTS", "one-time pad or XTS")
}
