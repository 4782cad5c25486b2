package hauberk.testing

/** Looks for what is left of secrets in the state of a design. */
object Remains {
  private val window = 32

  /** Names of the signals that have any four bytes of a secret in them, wherever in the signal they are.
    *
    * @param state   see [[Simulation.looks]]
    * @param secrets as numbers, with their widths
    */
  def of(state: Map[String, BigInt], secrets: (BigInt, Int)*): Seq[String] = {
    val parts = secrets.flatMap { case (secret, width) => (0 to width - window by 8).map(part(secret, _)) }.toSet
    state.filter { case (_, value) => (0 until value.bitLength).exists(at => parts(part(value, at))) }.keys.toSeq.sorted
  }

  /** Fails unless a design holds something of the secrets at every second look, from the first on, and nothing at those between. */
  def erased(looks: Seq[Map[String, BigInt]], secrets: Seq[(BigInt, Int)]): Unit =
    for ((state, i) <- looks.zipWithIndex) {
      val left = of(state, secrets: _*)
      if (i % 2 == 0) Predef.assert(left.nonEmpty, s"look $i: there is nothing to erase")
      else Predef.assert(left.isEmpty, s"look $i: left in ${left.mkString(", ")}")
    }

  private def part(value: BigInt, at: Int): BigInt = (value >> at) & ((BigInt(1) << window) - 1)
}
