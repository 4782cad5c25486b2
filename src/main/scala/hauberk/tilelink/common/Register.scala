package hauberk.tilelink.common

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.abi.Code

/** Access to a register. A write-only one reads as zero. */
sealed abstract class RegisterAccess(val name: String)

/** The kinds of access. */
object RegisterAccess {
  case object RO extends RegisterAccess("RO")
  case object WO extends RegisterAccess("WO")
  case object RW extends RegisterAccess("RW")
}

/** Bits of a register.
  *
  * @param values names of its values, if each has one
  */
case class BitField(name: String, low: Int, width: Int, meaning: String, values: Seq[Code] = Nil) {
  def high: Int = low + width - 1

  /** Extracts the field from a register's value. */
  def of(word: UInt): UInt = word(high, low)

  /** Register value with this field, and zero elsewhere. */
  def holding(value: BigInt): BigInt = {
    require(value >= 0 && value.bitLength <= width, s"$value does not fit $width bits: make the field $name wider")
    value << low
  }
}

/** A register of 64 bits, accessed whole: its description, from which hardware, headers and documentation are made.
  *
  * @param name     its name in C, and in lower case in Rocket Chip's description
  * @param offset   from the first register of its device or group
  * @param fields   from the lowest bits up; none if the register is one number
  * @param values   names of its values, if the register is one number with named values
  * @param constant its constant value, in every configuration
  */
case class Register(
    name: String,
    offset: Int,
    access: RegisterAccess,
    meaning: String,
    fields: Seq[BitField] = Nil,
    values: Seq[Code] = Nil,
    constant: Option[BigInt] = None
) extends RegisterEntry {
  for ((lower, upper) <- fields.zip(fields.drop(1)))
    require(lower.high < upper.low, s"the fields ${lower.name} and ${upper.name} of $name overlap: move one of them")

  /** As one of a group that begins at `base`. */
  def in(base: Int): Register = copy(offset = base + offset)
}

/** Registers that a device has once or several times.
  *
  * @param name   of the group, in C
  * @param offset of the first register of the first group
  * @param repeat the item that has a group of registers each, and the stride between groups; None if there is one group
  * @param prefix of the registers' names in C
  */
case class RegisterGroup(
    name: String,
    offset: Int,
    repeat: Option[(String, Int)],
    prefix: String,
    registers: Seq[Register]
) {

  /** The register as one of the group with that number. */
  def in(number: Int)(register: Register): Register = register.in(offset + number * repeat.fold(0)(_._2))
}

/** The registers of a device.
  *
  * @param prefix of all names in C
  * @param base   address of the first register, unless a configuration says otherwise
  */
case class RegisterMap(
    prefix: String,
    base: BigInt,
    registers: Seq[Register],
    groups: Seq[RegisterGroup] = Nil
) {
  private val offsets = registers.map(_.offset)
  require(offsets == offsets.sorted.distinct, s"the offsets of $prefix do not ascend: ${offsets.mkString(", ")}")
}

/** Common part of register maps. */
object RegisterMap {

  /** Size of a device's registers, in bytes. */
  val blockBytes = 0x1000

  /** Where a device's registers are. */
  def block(address: BigInt): Seq[AddressSet] = Seq(AddressSet(address, blockBytes - 1))

  /** The register that identifies a device, by eight letters. */
  def id(letters: String): Register =
    Register("ID", 0x00, RegisterAccess.RO, s""""$letters"""", constant = Some(BigInt(letters.getBytes("US-ASCII"))))

  /** The three words of a key that is wrapped as in RFC 3394, from an offset on. */
  def wrappedKey(offset: Int, access: RegisterAccess, meaning: String): Seq[Register] =
    (0 until 3).map(word => Register(s"WRAPPED_KEY_$word", offset + 8 * word, access, s"word $word of $meaning"))
}
