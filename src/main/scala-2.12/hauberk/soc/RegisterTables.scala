package hauberk.soc

import hauberk.abi.{Code, Counter}
import hauberk.tilelink.common.{Register, RegisterGroup, RegisterMap}

/** Register maps and statistics as tables of the documentation. */
private[soc] object RegisterTables {

  /** The registers of a device, with their fields and values. */
  def registers(map: RegisterMap): String =
    table(
      Seq("offset", "name", "access", "bits", "meaning"),
      map.registers.flatMap(rows("", _)) ++ map.groups.flatMap(group)
    )

  /** The counters of all devices, and where each is found. */
  def statistics(devices: Seq[Device]): String = table(
    Seq("device", "Linux", "run record", "tap", "counts"),
    for {
      device <- devices
      counter <- Counter.inOrder(device.counters)
    } yield Seq(
      device.title.stripPrefix("the "),
      code(counter.name),
      counter.record.fold("") { case (into, key) => code(s"$into.$key") },
      code(counter.field),
      counter.meaning
    )
  )

  private def group(group: RegisterGroup): Seq[Seq[String]] = group.repeat match {
    case None => group.registers.flatMap(register => rows(group.prefix + "_", group.in(0)(register)))
    case Some((what, stride)) =>
      Seq(s"${hex(group.offset)} + ${hex(stride)} n", code(group.name), "", "", s"registers of $what n") +:
        group.registers.flatMap(rows(group.prefix + "_", _, "+ "))
  }

  private def rows(prefix: String, register: Register, plus: String = ""): Seq[Seq[String]] = {
    val meaning = register.constant.fold(register.meaning)(value => f"0x${value.toLong}%x, ${register.meaning}")
    val first = Seq(plus + hex(register.offset), code(prefix + register.name), register.access.name, "", meaning)
    val fields = register.fields.flatMap { field =>
      val bits = if (field.width == 1) field.low.toString else s"${field.high}:${field.low}"
      Seq("", code(field.name), "", bits, field.meaning) +: field.values.map(value)
    }
    first +: (register.values.map(value) ++ fields)
  }
  private def value(code: Code): Seq[String] =
    Seq("", "", "", s"= ${code.number}", Seq(code.name, code.meaning).filter(_.nonEmpty).mkString(": "))

  private def code(text: String): String = s"`$text`"
  private def hex(value: Int): String = f"0x$value%02x"
  private def table(heading: Seq[String], rows: Seq[Seq[String]]): String =
    (heading +: heading.map(_ => "---") +: rows).map(_.mkString("| ", " | ", " |")).mkString("", "\n", "\n")
}
