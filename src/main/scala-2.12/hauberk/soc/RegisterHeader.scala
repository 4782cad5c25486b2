package hauberk.soc

import hauberk.abi.{Code, Counter}
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.tilelink.common.{BitField, Register, RegisterGroup}

/** Register maps as a C header of macros, which C, C++ and assembly can include. */
private[soc] object RegisterHeader {
  private val preamble =
    """// Registers, statistics and alarm causes. Written by scripts/generate from the register maps in src/main/scala: do not
      |// edit. For programs, boot ROM, Linux driver and simulator alike, so it includes nothing. docs/soc.md has tables.
      |//
      |// A field of one bit is a mask, any other takes its value out of the register. LIST_NAMES initializes an array of
      |// names, LIST_EACH(X) expands to X(constant, number, name, meaning) for each number, and DEVICE_RECORDED(X) to
      |// X(field, object, key) for each counter of a run record.
      |// clang-format off
      |#ifndef HAUBERK_REGISTERS_H
      |#define HAUBERK_REGISTERS_H
      |""".stripMargin

  /** The whole file.
    *
    * @param memories those on the chip that software has to know, by their names in C
    */
  def apply(devices: Seq[Device], memories: Seq[(String, AddressSet)]): String =
    preamble + (devices.map(lines) ++ memories.map((memory _).tupled)).map(
      "\n" + _.mkString("\n") + "\n"
    ).mkString + "\n#endif\n"

  private def memory(prefix: String, address: AddressSet): Seq[String] = Seq(
    define(s"${prefix}_BASE", hex(address.base)),
    define(s"${prefix}_BYTES", hex(address.mask + 1))
  )

  private def lines(device: Device): Seq[String] = {
    val map = device.map
    Seq(s"// Of ${device.title}", define(s"${map.prefix}_BASE", hex(map.base))) ++
      map.registers.flatMap(describe(map.prefix, _)) ++
      map.groups.flatMap(group(map.prefix, _)) ++
      (if (device.counters.isEmpty) Nil else statistics(map.prefix, device.counters))
  }

  private def group(prefix: String, group: RegisterGroup): Seq[String] =
    define(s"${prefix}_${group.name}", hex(group.offset)) +:
      (group.repeat.toSeq.map { case (what, stride) =>
        define(s"${prefix}_${group.name}_STRIDE", hex(stride), s"from $what to $what")
      } ++ group.registers.flatMap(describe(s"${prefix}_${group.prefix}", _)))

  private def describe(prefix: String, register: Register): Seq[String] = {
    val name = s"${prefix}_${register.name}"
    define(name, hex(register.offset), register.meaning) +:
      (register.constant.toSeq.map(value => define(s"${name}_VALUE", f"0x${value.toLong}%016xUL")) ++
        numbers(name, register.values) ++ register.fields.flatMap(field(name, _)))
  }

  /** A bit that an instruction of every processor can hold is a mask. */
  private def field(prefix: String, field: BitField): Seq[String] = {
    val name = s"${prefix}_${field.name}"
    val shifted = if (field.low == 0) "(value)" else s"(value) >> ${field.low}"
    val mask = if (field.high == 63) "" else s" & ${hex((BigInt(1) << field.width) - 1)}"
    val macroOf =
      if (field.width == 1 && field.low < 31) define(name, hex(BigInt(1) << field.low), field.meaning)
      else define(s"$name(value)", s"($shifted$mask)", field.meaning)
    macroOf +: numbers(name, field.values)
  }

  private def numbers(prefix: String, values: Seq[Code]): Seq[String] = {
    val constants = values.map(value => define(s"${prefix}_${value.constant}", value.number.toString))
    val isArray = values.nonEmpty && values.map(_.number) == values.indices
    constants ++
      (if (isArray) Seq(names(s"${prefix}_NAMES", values.map(_.name)), each(s"${prefix}_EACH", values)) else Nil)
  }

  private def statistics(prefix: String, counters: Seq[Counter]): Seq[String] = {
    val recorded = for {
      counter <- counters
      (into, key) <- counter.record
    } yield s"X(${counter.field}, $into, $key)"
    Seq(
      names(s"${prefix}_STAT_NAMES", Counter.inOrder(counters).map(_.name)),
      repeated(s"${prefix}_RECORDED", recorded)
    )
  }

  private def names(name: String, values: Seq[String]) = s"#define $name {${values.map(quoted).mkString(", ")}}"

  private def each(name: String, values: Seq[Code]): String = repeated(
    name,
    values.map(value => s"X(${value.constant}, ${value.number}, ${quoted(value.name)}, ${quoted(value.meaning)})")
  )
  private def repeated(name: String, uses: Seq[String]): String =
    (s"#define $name(X)" +: uses.map("  " + _)).mkString(" \\\n")
  private def quoted(text: String): String = "\"" + text + "\""
  private def hex(value: BigInt): String = f"0x${value.toLong}%02x"
  private def define(name: String, value: String, comment: String = ""): String =
    s"#define $name $value" + (if (comment.isEmpty) "" else s"  // $comment")
}
