package hauberk.testing

/** Finds memories and registers in the SystemVerilog of a design, as firtool writes it. */
object StoredState {
  private val module = "(?ms)^module (\\w+)\\(.*?^endmodule".r
  private val instance = "(?m)^  (\\w+) (\\w+) \\(".r
  private val register = "(?m)^  reg +(?:\\[(\\d+):0\\] *)?(\\w+)(?:\\[0:(\\d+)\\])?;".r

  /** Memories and registers in modules below `top`.
    *
    * @param wanted by module and name; a memory has the name of its instance, which ends in `_ext`
    */
  def in(verilog: String, top: String)(wanted: (String, String) => Boolean): Seq[FaultSite] = {
    val modules = module.findAllMatchIn(verilog).map(m => m.group(1) -> m.matched).toMap
    def memory(name: String): Option[(Int, Int)] = register.findAllMatchIn(modules(name)).collectFirst {
      case m if m.group(2) == "Memory" => (m.group(3).toInt + 1, width(m))
    }
    def width(m: scala.util.matching.Regex.Match): Int = Option(m.group(1)).fold(1)(_.toInt + 1)
    def below(name: String, path: String): Seq[FaultSite] = {
      val registers = register.findAllMatchIn(modules(name)).collect {
        case m if wanted(name, m.group(2)) => FaultSite(path + m.group(2), 1, width(m))
      }
      val inside = instance.findAllMatchIn(modules(name)).filter(m => modules.contains(m.group(1))).flatMap { m =>
        val (kind, here) = (m.group(1), m.group(2))
        memory(kind) match {
          case Some((rows, bits)) if wanted(name, here) => Seq(FaultSite(s"$path$here.Memory", rows, bits))
          case Some(_) => Nil
          case None => below(kind, s"$path$here.")
        }
      }
      (registers ++ inside).toSeq
    }
    below(top, "")
  }
}
