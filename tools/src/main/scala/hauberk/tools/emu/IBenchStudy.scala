package hauberk.tools.emu

/** How much slower sealed tasks are, measured and as the model of section IV says.
  *
  * @param mode of decryption
  */
case class IBenchSlowdown(mode: String, tasks: Int, measured: Double, predicted: Double) {
  def error: Double = math.abs(predicted / measured - 1)
}

/** The figures that iBench is for, from five profiles: no unit; and each mode with the program in plaintext and sealed. */
class IBenchStudy(val none: IBenchRun, modes: Seq[(String, IBenchRun, IBenchRun)]) {
  val profiles: Seq[IBenchRun] = none +: modes.flatMap { case (_, plain, encrypted) => Seq(plain, encrypted) }

  /** Cycles that a mode adds to a fetch of what is not encrypted, beside no unit, and of what is. */
  def addedPlain: Seq[(String, Double)] = modes.map { case (mode, plain, _) =>
    mode -> (plain.miss - none.miss)
  }
  def addedEncrypted: Seq[(String, Double)] = modes.map { case (mode, plain, encrypted) =>
    mode -> (encrypted.miss - plain.miss)
  }

  /** Of tasks of a mode, against the same in plaintext. Equation 8: 1 + L_EMU / L_Mem times the part of the time that is stalled. */
  val slowdowns: Seq[IBenchSlowdown] = for {
    (mode, plain, encrypted) <- modes
    ((before, busy), after) <- plain.tasks.zip(plain.busy).zip(encrypted.tasks)
  } yield {
    val memory = plain.fetchLatency
    val unit = encrypted.miss - plain.miss
    val stalled = before.cycles - busy.cycles
    IBenchSlowdown(
      mode,
      before.tasks,
      after.cycles.toDouble / before.cycles,
      1 + unit / memory * stalled / before.cycles
    )
  }

  /** Over all footprints that do not fit the cache, and all tasks. Of those that do, Rocket's random replacement makes some lines leave and others not,
    * and has been asked another number of times before, so that the difference of two runs says nothing.
    */
  def worst(mode: String): Double = {
    val (_, plain, encrypted) = modes.find(_._1 == mode).get
    def beyond(run: IBenchRun) = run.fetches.filter(_.kib > IBenchStudy.cacheKib) ++ run.tasks
    beyond(plain).zip(beyond(encrypted)).map { case (before, after) => after.cycles.toDouble / before.cycles }.max
  }

  def modelError: Double = slowdowns.map(_.error).max

  /** How far fetches and loads are apart, of what comes from memory. */
  def fetchesAgainstLoads: Double = math.abs(none.fetchLatency / none.loadLatency - 1)

  /** Name, value, bound if there is one. */
  def figures: Seq[(String, Double, Option[Double])] =
    addedPlain.map { case (mode, cycles) =>
      (s"cycles added to a fetch in plaintext, $mode mode", cycles, Some(0.0))
    } ++
      addedEncrypted.map { case (mode, cycles) =>
        (s"cycles added to a sealed fetch, $mode mode", cycles, if (mode == "counter") Some(0.0) else None)
      } ++
      modes.map(_._1).map(mode =>
        (s"worst slowdown, $mode mode", worst(mode), if (mode == "counter") Some(IBenchStudy.none) else None)
      ) ++
      Seq(
        ("model against measurement, worst error", modelError, Some(0.022)),
        ("fetches against loads, from memory", fetchesAgainstLoads, None)
      )

  /** What misses its bound. */
  def problems: Seq[String] = figures.collect {
    case (what, value, Some(bound)) if value > bound => f"$what is $value%.4f, bound $bound%s"
  }
}

/** Constants of the study: the cache of 16 KiB, and the slowdown that counts as none. */
object IBenchStudy {

  /** The instruction cache of the cores. */
  val cacheKib = 16

  /** A slowdown of 1.00: to the two decimals of the paper, for random replacement has its share in the third. */
  private val none = 1.005
}
