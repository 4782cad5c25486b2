package hauberk.tilelink.common

import chisel3.RawModule
import hauberk.soc.Firtool
import hauberk.testing.KeptSimulators
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import org.scalatest.Assertions
import scala.collection.JavaConverters._
import scala.sys.process._

/** Runs Chisel 3.2.6 modules in Verilator until their output `finished` is set.
  *
  * A run fails if an assertion of the hardware fails or `finished` does not come in time. Registers without reset start at
  * random, by the seed. The input `select` (8 bits) chooses among the scenarios a module offers.
  */
trait VerilatedTest extends Assertions {
  private val main =
    """#include "VTop.h"
      |#include <cstdio>
      |#include <cstdlib>
      |int main(int argc, char** argv) {
      |  Verilated::commandArgs(argc, argv);
      |  const long limit = atol(argv[1]);
      |  Verilated::randReset(2);
      |  Verilated::randSeed(atoi(argv[2]));
      |  VTop top;
      |  top.select = atoi(argv[3]);
      |  for (long cycle = 0; cycle < limit; ++cycle) {
      |    top.reset = cycle < 20;
      |    top.clock = 0;
      |    top.eval();
      |    if (!top.reset && top.finished) {
      |      top.clock = 1;  // what is asserted of the end is looked at now
      |      top.eval();
      |      printf("finished after %ld cycles\n", cycle);
      |      return 0;
      |    }
      |    top.clock = 1;
      |    top.eval();
      |  }
      |  printf("not finished after %ld cycles\n", limit);
      |  return 1;
      |}
      |""".stripMargin

  /** A module built for simulation. */
  class Simulator private[VerilatedTest] (folder: Path) {

    /** @param limit in clock cycles */
    def run(limit: Long, seed: Int = 1, select: Int = 0): Unit = {
      KeptSimulators.runs(folder)
      execute(folder, Seq("obj/VTop", limit.toString, seed.toString, select.toString))
    }
  }

  /** Builds a module.
    *
    * @param name of its folder under target/verilated-tests
    */
  def verilate(name: String)(module: => RawModule): Simulator = {
    val folder = Files.createDirectories(Paths.get("target", "verilated-tests", name).toAbsolutePath)
    KeptSimulators.in(folder)(built(folder)(module))
  }

  private def built(folder: Path)(module: => RawModule): Simulator = {
    val circuit = Console.withOut(Files.newOutputStream(folder.resolve("elaboration.log"))) {
      chisel3.Driver.elaborate(() => module)
    }
    val fir = save(folder.resolve("top.fir"), chisel3.Driver.emit(circuit))
    val sources = Firtool.compile(fir, folder.resolve("top.sv")).fold(message => fail(message), identity)
    val harness = save(folder.resolve("main.cc"), main)
    execute(
      folder,
      Seq(
        "verilator",
        "--cc",
        "--exe",
        "--build",
        "-j",
        "2",
        "--top-module",
        circuit.name,
        "--prefix",
        "VTop",
        "-O3"
      ) ++
        Seq("--x-initial", "unique", "--x-assign", "fast", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--Mdir", "obj") ++
        ("+define+PRINTF_COND=0" +: sources.map(_.toString) :+ harness.toString)
    )
    new Simulator(folder)
  }

  private def save(file: Path, text: String): Path = Files.write(file, text.getBytes(UTF_8))

  private def execute(folder: Path, command: Seq[String]): Unit = {
    val output = new StringBuilder
    val exitCode = Process(command, folder.toFile).!(ProcessLogger(line => output.append(line).append('\n')))
    if (exitCode != 0) {
      fail(
        s"${command.take(2).mkString(" ")} failed in $folder with exit code $exitCode:\n${output.takeRight(3000)}\n" +
          assertions(folder, output.toString)
      )
    }
  }

  /** The text of the assertions that failed: the simulator names only their lines. */
  private def assertions(folder: Path, output: String): String = {
    val Place = """top\.sv:(\d+)""".r
    val places = Place.findAllMatchIn(output).map(_.group(1).toInt).toSeq.distinct
    if (places.isEmpty || !Files.exists(folder.resolve("top.sv"))) ""
    else {
      val lines = Files.readAllLines(folder.resolve("top.sv")).asScala
      places.map(place => lines.slice(place - 12, place).mkString("\n")).mkString("\n---\n")
    }
  }
}
