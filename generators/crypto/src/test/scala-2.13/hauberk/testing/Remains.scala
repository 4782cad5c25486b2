package hauberk.testing

/** Looks for what is left of secrets in the state of a design. */
object Remains {
  private val window = 32

  /** Names of the signals that have any four bytes of a secret in them, wherever in the signal they are.
    *
    * @param state   see [[Simulation.looks]]
    * @param secrets as numbers, with their widths
    */
  def of(state: Map[String, BigInt], secrets: (BigInt, Int)*): Seq[String] = having(state, parts(secrets))

  /** Fails unless a design holds something of the secrets at every second look, from the first on, and nothing at those between. */
  def erased(looks: Seq[Map[String, BigInt]], secrets: Seq[(BigInt, Int)]): Unit = {
    val wanted = parts(secrets)
    for ((state, i) <- looks.zipWithIndex) {
      val left = having(state, wanted)
      if (i % 2 == 0) Predef.assert(left.nonEmpty, s"look $i: there is nothing to erase")
      else Predef.assert(left.isEmpty, s"look $i: left in ${left.mkString(", ")}")
    }
  }

  private def parts(secrets: Seq[(BigInt, Int)]): Set[Int] =
    secrets.flatMap { case (secret, width) => (0 to width - window by 8).map(at => (secret >> at).toInt) }.toSet

  private def having(state: Map[String, BigInt], parts: Set[Int]): Seq[String] =
    state.filter { case (_, value) => windows(value).exists(parts) }.keys.toSeq.sorted

  /** All windows of a number, from each of its bits on. */
  private def windows(value: BigInt): Iterator[Int] = {
    Iterator.range(0, value.bitLength).scanLeft(value.toInt)((now, at) =>
      (now >>> 1) | (if (value.testBit(at + window)) 1 << 31 else 0)
    )
      .take(value.bitLength)
  }
}
