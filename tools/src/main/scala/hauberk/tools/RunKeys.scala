package hauberk.tools

import hauberk.memory.reference.ProtectionKeys

/** The keys of a run, of the words of entropy that its SoC took, in their order: first those of the dynamic key, of all engines; then those
  * of a second context's, engine by engine; or those of each re-encryption of all memory, as engines asked for them.
  */
object RunKeys {
  def apply(protection: DramProtection, static: Array[Byte], entropy: Seq[BigInt]): DumpKeys = {
    val engines = protection.banks.size
    val wanted = 2 + 2 * (protection.contexts - 1) * engines
    val taken = s"the SoC took ${entropy.size} words of entropy"
    UserError.unless(entropy.size >= wanted)(
      s"$taken, not the $wanted that make ${keysOf(wanted)}: the program did not get past the boot ROM"
    )
    val more = entropy.size > wanted
    UserError.unless(!more || CounterFormat.isTimestamps(protection.counterFormat) && protection.regions.isEmpty)(
      s"$taken, more than the $wanted that make ${keysOf(wanted)}, and no memory with such counters or regions is ever " +
        "re-encrypted under another key: give the record of this configuration's run"
    )
    UserError.unless(!more || engines == 1)(
      s"$taken, so that memory was re-encrypted under other keys, and of $engines engines it is not recorded which took " +
        "which: check a run that ends before, or one on a configuration with one bank"
    )
    // A word without its second is of a key that was not there yet
    val keys = entropy.grouped(2).filter(_.size == 2).map(Keys.dynamic).toList
    if (more) {
      val latestFirst = keys.reverse.map(ProtectionKeys(static, _))
      DumpKeys(latestFirst.head, before = latestFirst.tail)
    } else DumpKeys(ProtectionKeys(static, keys.head), keys.tail)
  }

  private def keysOf(words: Int): String = if (words == 2) "a dynamic key" else s"${words / 2} dynamic keys"
}
