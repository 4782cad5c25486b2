package hauberk.memory.common

import scala.util.{Failure, Success, Try}

/** The chosen parameters cannot be built.
  *
  * @param violations all errors, each a sentence that says what to change
  */
class Refusal(val violations: Seq[String]) extends IllegalArgumentException(violations.mkString("\n"))

/** Refusals, made and caught. */
object Refusal {
  private val required = "requirement failed: "

  /** Refuses a violation, with the sentences of all broken rules.
    *
    * @param rules each with the sentence about its violation
    */
  def unless(rules: (Boolean, String)*): Unit = {
    val violations = broken(rules: _*)
    if (violations.nonEmpty) throw new Refusal(violations)
  }

  /** The sentences of the rules that are broken. */
  def broken(rules: (Boolean, String)*): Seq[String] = rules.collect { case (false, sentence) => sentence }

  /** The result of `body`, or the violations of its refusal or `require`. Other exceptions are faults, and are thrown on. */
  def attempt[T](body: => T): Either[Seq[String], T] = Try(body) match {
    case Success(made) => Right(made)
    case Failure(refusal: Refusal) => Left(refusal.violations)
    case Failure(wrong: IllegalArgumentException) if Option(wrong.getMessage).exists(_.startsWith(required)) =>
      Left(Seq(wrong.getMessage.stripPrefix(required)))
    case Failure(other) => throw other
  }
}
