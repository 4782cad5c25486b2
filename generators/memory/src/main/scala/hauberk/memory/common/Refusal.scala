package hauberk.memory.common

import scala.util.{Failure, Success, Try}

/** What was chosen cannot be built.
  *
  * @param violations all that is wrong with it, each a sentence that says what to change
  */
class Refusal(val violations: Seq[String]) extends IllegalArgumentException(violations.mkString("\n"))

/** Refusals, made and caught. */
object Refusal {
  private val required = "requirement failed: "

  /** Refuses what breaks a rule, with the sentences of all the rules that it breaks.
    *
    * @param rules each with the sentence about what breaks it
    */
  def unless(rules: (Boolean, String)*): Unit = {
    val violations = broken(rules: _*)
    if (violations.nonEmpty) throw new Refusal(violations)
  }

  /** The sentences of the rules that are broken. */
  def broken(rules: (Boolean, String)*): Seq[String] = rules.collect { case (false, sentence) => sentence }

  /** What `body` makes, or why it cannot be: by a refusal, or by a `require` of its own. Whatever else it throws is a fault, and is thrown. */
  def attempt[T](body: => T): Either[Seq[String], T] = Try(body) match {
    case Success(made) => Right(made)
    case Failure(refusal: Refusal) => Left(refusal.violations)
    case Failure(wrong: IllegalArgumentException) if Option(wrong.getMessage).exists(_.startsWith(required)) =>
      Left(Seq(wrong.getMessage.stripPrefix(required)))
    case Failure(other) => throw other
  }
}
