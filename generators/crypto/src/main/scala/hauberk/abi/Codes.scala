package hauberk.abi

/** A number that software reads or writes.
  *
  * @param name    its name in logs, run records and, in upper case, in C
  * @param meaning a phrase for the documentation
  */
case class Code(number: Int, name: String, meaning: String) {

  /** The name as a C identifier. */
  def constant: String = name.toUpperCase.replaceAll("[^A-Z0-9]+", "_")
}

/** Numbers of one kind. Each is described where it is defined. */
trait Codes {
  private var known = Seq.empty[Code]

  /** All of them, by number. */
  def all: Seq[Code] = known.sortBy(_.number)

  /** Bits of the largest number. */
  lazy val width: Int = BigInt(all.last.number).bitLength

  /** Describes a number, and is that number. */
  protected def code(number: Int, name: String, meaning: String): Int = {
    require(
      !known.exists(other => other.number == number || other.name == name),
      s"$number is to be called `$name`, but one of the two is taken: give each number a name of its own"
    )
    known :+= Code(number, name, meaning)
    number
  }
}
