// The Scala version names the Chisel version: Chisel's compiler plugin exists for exactly one Scala 2.13 patch release
// per Chisel release, so `++2.13.15` means "with Chisel 6.7.0".
val chisel3_2 = "2.12.20" // Chisel 3.2.6, what Rocket Chip 1.2.6 is built on
val chisel6 = "2.13.15" // Chisel 6.7.0, Chipyard's default
val chisel7 = "2.13.16" // Chisel 7.14.0

ThisBuild / organization := "org.hauberk"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / scalaVersion := chisel3_2
ThisBuild / licenses := Seq("Apache-2.0" -> url("https://www.apache.org/licenses/LICENSE-2.0"))
ThisBuild / allowUnsafeScalaLibUpgrade := true

def chiselDependencies(scala: String): Seq[ModuleID] = scala match {
  case `chisel3_2` => Seq("edu.berkeley.cs" %% "chisel3" % "3.2.6")
  case `chisel6` =>
    Seq(
      "org.chipsalliance" %% "chisel" % "6.7.0",
      compilerPlugin("org.chipsalliance" % "chisel-plugin" % "6.7.0" cross CrossVersion.full)
    )
  case `chisel7` =>
    Seq(
      "org.chipsalliance" %% "chisel" % "7.14.0",
      compilerPlugin("org.chipsalliance" % "chisel-plugin" % "7.14.0" cross CrossVersion.full)
    )
}

/** Source folders shared by every Chisel, by every Scala 2.13 Chisel (sbt's own rule), or by one Chisel only. */
def perChisel(kind: String) = Def.setting {
  val name = scalaVersion.value match {
    case `chisel3_2` => "scala-chisel3"
    case `chisel6` => "scala-chisel6"
    case `chisel7` => "scala-chisel7"
  }
  baseDirectory.value / "src" / kind / name
}

val commonSettings = Seq(
  // Chisel 6 and 7 share Scala 2.13: an artifact's name ends in the whole Scala version, as that of Chisel's compiler plugin,
  // and so does the folder of what is compiled, or an sbt with the one would replace the classes of an sbt with the other
  crossVersion := CrossVersion.full,
  crossTarget := target.value / s"scala-${scalaVersion.value}",
  scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-language:reflectiveCalls") ++
    (if (scalaVersion.value == chisel3_2) Seq("-Xsource:2.11") else Seq()),
  libraryDependencies += "org.scalatest" %% "scalatest" % "3.2.19" % Test,
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oD"),
  // hauberk.testing.Thorough says which
  Test / testOptions ++= (if (sys.env.contains("HAUBERK_THOROUGH")) Nil
                          else Seq(Tests.Argument(TestFrameworks.ScalaTest, "-l", "hauberk.testing.Thorough"))),
  Test / fork := true,
  Test / javaOptions ++= Seq("-Xmx3g", "-Xss16m"),
  // A test builds a simulator and runs it for seconds: one file, not optimised, builds in a third of the time of Verilator's default
  Test / envVars += "MAKEFLAGS" -> "OPT_FAST=-O0 OPT_GLOBAL=-O0 OPT_SLOW=-O0 VM_PARALLEL_BUILDS=0",
  Test / baseDirectory := (ThisBuild / baseDirectory).value
)

val generatorSettings = commonSettings ++ Seq(
  crossScalaVersions := Seq(chisel3_2, chisel6, chisel7),
  libraryDependencies ++= chiselDependencies(scalaVersion.value),
  // A suite a core, for most of a test is a simulator that is being built; Chisel 3 keeps what it elaborates in one place for all
  Test / testForkedParallel := scalaVersion.value != chisel3_2,
  // A simulator that was built before is not built again
  Test / envVars += "PATH" -> s"${(ThisBuild / baseDirectory).value / "tests" / "stored"}:${sys.env.getOrElse("PATH", "")}",
  Compile / unmanagedSourceDirectories += perChisel("main").value,
  Test / unmanagedSourceDirectories += perChisel("test").value
)

val rocketSettings = commonSettings ++ Seq(
  scalaVersion := chisel3_2,
  crossScalaVersions := Seq(chisel3_2),
  libraryDependencies ++= Seq(
    "edu.berkeley.cs" %% "rocketchip" % "1.2.6",
    "org.chipsalliance" % "llvm-firtool" % "1.62.1", // the jar holds the executable
    "com.github.scopt" %% "scopt" % "4.1.0",
    "com.lihaoyi" %% "upickle" % "4.4.1"
  )
)

/** Ciphers, key stores: no knowledge of memory or buses. */
lazy val crypto = (project in file("generators/crypto"))
  .settings(generatorSettings)
  .settings(
    name := "hauberk-crypto",
    libraryDependencies += "com.lihaoyi" %% "ujson" % "3.3.1" % Test,
    // What proofs in src/test/scala-chisel6 of all generators stand on; ABC checks them
    libraryDependencies ++= (if (scalaVersion.value == chisel6) Seq("edu.berkeley.cs" %% "chiseltest" % "6.0.0" % Test)
                             else Nil)
  )

/** The block-level memory protection engine, its address layout and its reference model. */
lazy val memory = (project in file("generators/memory"))
  .dependsOn(crypto % "compile->compile;test->test")
  .settings(generatorSettings)
  .settings(name := "hauberk-memory")

/** The coherent-bus security hardware unit (SENSS), and the broadcast medium it guards. */
lazy val bus = (project in file("generators/bus"))
  .dependsOn(crypto % "compile->compile;test->test")
  .settings(generatorSettings)
  .settings(name := "hauberk-bus")

/** Page-granular instruction decryption: the SecSoft EMU and its key unit. */
lazy val instruction = (project in file("generators/instruction"))
  .dependsOn(crypto % "compile->compile;test->test")
  .settings(generatorSettings)
  .settings(name := "hauberk-instruction")

/** Secure contexts (AEGIS): owners of pages, and who may access them. */
lazy val contexts = (project in file("generators/contexts"))
  .dependsOn(crypto % "compile->compile;test->test")
  .settings(generatorSettings)
  .settings(name := "hauberk-contexts")

/** Rocket Chip layer: diplomatic adapters, config fragments, stand-alone SoCs. */
lazy val hauberk = (project in file("."))
  .dependsOn(memory % "compile->compile;test->test", bus, instruction, contexts)
  .settings(rocketSettings)
  .settings(
    name := "hauberk",
    // The configurations for Chipyard, against its names in src/test/scala-2.12/chipyard
    Test / unmanagedSources ++= (baseDirectory.value / "chipyard" ** "*Configs.scala").get,
    Test / sourceGenerators += Def.task(DocsCode.write(baseDirectory.value, (Test / sourceManaged).value)).taskValue
  )

/** Host-side tools: package maker, DRAM checker, sealing of programs. */
lazy val tools = (project in file("tools"))
  .dependsOn(memory, bus, instruction)
  .settings(commonSettings)
  .settings(
    name := "hauberk-tools",
    scalaVersion := chisel3_2,
    crossScalaVersions := Seq(chisel3_2),
    libraryDependencies ++= Seq(
      "com.github.scopt" %% "scopt" % "4.1.0",
      "com.lihaoyi" %% "upickle" % "4.4.1",
      "net.fornwall" % "jelf" % "0.12.0"
    )
  )
