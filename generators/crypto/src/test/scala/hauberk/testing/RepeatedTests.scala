package hauberk.testing

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.{Timer, TimerTask}
import org.scalatest.events.{Event, TestFailed}
import org.scalatest.{Args, Reporter, Suite}
import scala.collection.mutable

/** Runs each test of a suite once for each mutant that its simulators have: `RepeatedTests FOLDER SUITE TEST...`, all tests if none is named.
  *
  * A simulator reads the number of its mutant, 0 for none, from FOLDER/active when it starts, and the file `mutants` beside its Verilog has the numbers
  * that it has a place for (python/hauberk/mutation/simulator.py). A test runs without a mutant first, and once more if there are mutants, for it must pass
  * on a simulator that was used before. A mutant is not tried again when a test has noticed it. The lines on standard output end with a tab between fields:
  *  - `empty`: no suite, or one without tests;
  *  - `failed TEST MESSAGE`: it fails without a mutant; nothing else runs;
  *  - `built TEST MILLISECONDS`: what the first run took;
  *  - `trying NUMBER TEST`, `noticed NUMBER TEST`, `slow NUMBER TEST`: the latter took more than `SLOWER` times as long as without a mutant, and `LONGER` more;
  *  - `passed MILLISECONDS`: all tests have run, and took as long without a mutant.
  */
object RepeatedTests {
  private val SLOWER = 4
  private val LONGER = 5000L

  def main(arguments: Array[String]): Unit = {
    val Array(folder, name, wanted @ _*) = arguments
    val suite = instance(name).filter(_.testNames.nonEmpty)
    suite.foreach(new RepeatedTests(Paths.get(folder), _).run(wanted))
    if (suite.isEmpty) say("empty")
    System.exit(0)
  }

  private def instance(name: String): Option[Suite] = {
    val of = Class.forName(name)
    val isSuite = classOf[Suite].isAssignableFrom(of) && !java.lang.reflect.Modifier.isAbstract(of.getModifiers) &&
      of.getConstructors.exists(_.getParameterCount == 0)
    if (isSuite) Some(of.getDeclaredConstructor().newInstance().asInstanceOf[Suite]) else None
  }

  private def say(fields: Any*): Unit =
    println(("repeated" +: fields.map(_.toString.replaceAll("\\s+", " "))).mkString("\t"))
}

private class StopSimulators extends TimerTask {
  def run(): Unit = ProcessHandle.current.descendants.toArray.foreach(_.asInstanceOf[ProcessHandle].destroyForcibly())
}

private class RepeatedTests(folder: Path, suite: Suite) {
  import RepeatedTests._
  private val simulators = new KeptSimulators
  private val noticed = mutable.Set.empty[Int]
  private var total = 0L

  def run(wanted: Seq[String]): Unit = {
    val thorough =
      suite.tags.collect { case (test, tags) if tags(Thorough.name) || tags("org.scalatest.Ignore") => test }.toSet
    val tests = suite.testNames.toSeq.filter(test => if (wanted.isEmpty) !thorough(test) else wanted.contains(test))
    if (tests.forall(repeated)) say("passed", total)
  }

  /** Whether a test passes without a mutant. */
  private def repeated(test: String): Boolean = {
    activate(0)
    val (built, failure) = timed(test, None)
    total += built
    say("built", test, built)
    val mutants = simulators.used.flatMap(numbers).distinct.sorted.filterNot(noticed)
    val (base, again) = if (failure.isEmpty && mutants.nonEmpty) timed(test, None) else (built, None)
    (failure ++ again).foreach(say("failed", test, _))
    val passes = failure.isEmpty && again.isEmpty
    if (passes)
      for (mutant <- mutants) {
        activate(mutant)
        say("trying", mutant, test)
        val (took, fails) = timed(test, Some(SLOWER * base + LONGER))
        if (fails.nonEmpty) {
          noticed += mutant
          say(if (took > SLOWER * base + LONGER) "slow" else "noticed", mutant, test)
        }
      }
    simulators.clear()
    passes
  }

  /** Milliseconds that a test took, and the message if it failed. Its simulators are stopped when the time is over. */
  private def timed(test: String, limit: Option[Long]): (Long, Option[String]) = {
    val begun = System.nanoTime
    val watch = new Timer(true)
    limit.foreach(watch.schedule(new StopSimulators, _, 100L))
    var message = Option.empty[String]
    val reporter = new Reporter {
      def apply(event: Event): Unit = event match {
        case failed: TestFailed => message = Some(failed.message)
        case _ =>
      }
    }
    val succeeds = simulators.repeat(suite.run(Some(test), Args(reporter)).succeeds())
    watch.cancel()
    ((System.nanoTime - begun) / 1000000, if (succeeds) None else message.orElse(Some("the suite ended")))
  }

  private def activate(mutant: Int): Unit = Files.write(folder.resolve("active"), s"$mutant\n".getBytes(UTF_8))

  private def numbers(simulator: Path): Seq[Int] = Folders.named(simulator, "mutants").flatMap { file =>
    new String(Files.readAllBytes(file), UTF_8).split("\\s+").filter(_.nonEmpty).map(_.toInt)
  }
}
