package hauberk.tools

/** What the user can put right; the message is one sentence that says what to change. */
class UserError(message: String) extends RuntimeException(message)

/** Throws and reports errors of the user: one sentence and exit code 2. */
object UserError {

  /** Throws a [[UserError]] unless `holds`. */
  def unless(holds: Boolean)(message: => String): Unit = if (!holds) throw new UserError(message)

  /** Runs a command line tool: its result is the exit code, and a [[UserError]] becomes one sentence and exit code 2. */
  def reported(tool: String)(body: => Int): Int =
    try body
    catch {
      case error: UserError =>
        Console.err.println(s"$tool: ${error.getMessage}")
        badInput
    }

  /** Exit code of a tool that could not begin. */
  val badInput = 2
}
