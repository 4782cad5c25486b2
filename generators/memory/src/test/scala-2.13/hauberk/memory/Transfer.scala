package hauberk.memory

import scala.util.Random

/** A transfer that a test asks for. Bytes run from the lowest address; a beat of a write may be marked corrupt. */
case class Transfer(
    write: Boolean,
    address: Int,
    size: Int,
    data: Seq[Byte] = Nil,
    enabled: Seq[Boolean] = Nil,
    poisonedBeat: Option[Int] = None
) {
  val bytes: Int = 1 << size

  /** Does it to the plaintext of its block: a write changes it, a read returns what it reads. */
  def applyTo(block: Array[Byte]): Seq[Byte] = {
    val offset = address % block.length
    if (write) {
      for (i <- 0 until bytes if enabled.isEmpty || enabled(i)) block(offset + i) = data(i)
      Nil
    } else block.slice(offset, offset + bytes).toSeq
  }
}

object Transfer {
  def randomBytes(random: Random, n: Int): Seq[Byte] = {
    val a = new Array[Byte](n)
    random.nextBytes(a)
    a.toSeq
  }

  /** A transfer of any kind among the first `blocks` blocks: whole blocks half of the time, writes with holes now and then. */
  def random(random: Random, p: Protection, blocks: Int): Transfer = {
    val whole = Integer.numberOfTrailingZeros(p.bank.blockBytes)
    val size = if (random.nextBoolean()) whole else random.nextInt(whole + 1)
    val address = (random.nextInt(blocks * p.bank.blockBytes) >> size) << size
    val write = random.nextBoolean()
    val n = 1 << size
    val holes = write && random.nextInt(3) == 0
    Transfer(
      write,
      address,
      size,
      if (write) randomBytes(random, n) else Nil,
      if (holes) Seq.fill(n)(random.nextBoolean()) else Nil
    )
  }
}

/** An answer: its data, and when the request's first beat was taken and each beat of the answer came. */
case class Answer(data: Seq[Byte], denied: Boolean, asked: Int, beats: Seq[Int])
