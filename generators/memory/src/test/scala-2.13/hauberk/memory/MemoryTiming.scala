package hauberk.memory

/** How the memory behind an engine behaves. */
trait MemoryTiming {

  /** Cycles from the request (its last beat) to the first cycle in which its response is offered. */
  def delay(write: Boolean): Int

  /** The same where it depends on the address. */
  def delay(write: Boolean, address: Int): Int = delay(write)

  /** Responses come in the order of requests, one channel for all. */
  def inOrder: Boolean

  /** Which of so many responses that are due comes next. */
  def choose(due: Int): Int = 0
  def requestReady: Boolean
  def clientReady: Boolean

  /** Writes are acknowledged from their first beat on, as TileLink allows; a delay of 0 is an answer in the cycle of the request. */
  def early: Boolean = false

  /** The client offers what it has to send. */
  def clientOffers: Boolean = true
}

/** The model of `peers-measured.md`: data `latency` cycles after the address, then a beat a cycle, in order; nothing ever stalls. */
case class SteadyMemory(latency: Int) extends MemoryTiming {
  def delay(write: Boolean): Int = if (write) 1 else latency
  val inOrder = true
  val requestReady = true
  val clientReady = true
}

/** As [[SteadyMemory]] of 20 cycles, but for the order: what is due goes. */
class UnorderedMemory extends MemoryTiming {
  def delay(write: Boolean): Int = if (write) 1 else 20
  val inOrder = false
  val requestReady = true
  val clientReady = true
}

/** Everything random: delays, order, and waits on both sides. */
class UnsteadyMemory(random: scala.util.Random, longest: Int) extends MemoryTiming {
  def delay(write: Boolean): Int = 1 + random.nextInt(longest)
  val inOrder = false
  override def choose(due: Int): Int = random.nextInt(due)
  def requestReady: Boolean = random.nextInt(4) != 0
  def clientReady: Boolean = random.nextInt(4) != 0
}

/** As [[UnsteadyMemory]], and with all the haste that TileLink allows: answers in the cycle of the request, acknowledgements before the
  * last beat. The client withdraws requests and pauses inside bursts.
  */
class HastyMemory(random: scala.util.Random, longest: Int) extends UnsteadyMemory(random, longest) {
  override def delay(write: Boolean): Int = if (random.nextInt(3) == 0) random.nextInt(longest) else random.nextInt(2)
  override val early = true
  override def clientOffers: Boolean = random.nextInt(8) != 0
}

/** As [[HastyMemory]], but for an answer in the cycle of its request. */
class NextCycleMemory(random: scala.util.Random, longest: Int) extends HastyMemory(random, longest) {
  override def delay(write: Boolean): Int = math.max(1, super.delay(write))
}
