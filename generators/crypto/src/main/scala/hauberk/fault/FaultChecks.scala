package hauberk.fault

/** The faults inside the chip that hardware notices: how it keeps its state, and how it decides.
  *
  * @param words of data in memories
  * @param tags  of what says whose data those are: line numbers, flags of lines
  * @param flags of registers that decide by themselves, such as whether an engine is armed
  * @param comparison of a value from outside with the one that it must have
  * @param entropy tests of the source of keys
  */
sealed abstract class FaultChecks(
    val words: WordCode,
    val tags: WordCode,
    val flags: FlagCode,
    val comparison: Comparison,
    val entropy: Option[EntropyLimits]
)

/** Notices none, and has no hardware for it. */
case object NoFaultChecks extends FaultChecks(Unchecked, Unchecked, OneBit, Once, None)

/** Corrects one flip in a word. Two in a word, and one in a tag or a decision, raise the alarm; a broken source yields no key. */
case object DetectFaults extends FaultChecks(Secded(), Parity, Sparse, Twice, Some(EntropyLimits()))
