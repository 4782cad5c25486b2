// A project as a user has it: it knows Hauberk by its published artifacts alone. `make test-publish` runs it on each Chisel.
val chisel = Map(
  "2.12.20" -> Seq("edu.berkeley.cs" %% "chisel3" % "3.2.6"),
  "2.13.15" -> Seq(
    "org.chipsalliance" %% "chisel" % "6.7.0",
    compilerPlugin("org.chipsalliance" % "chisel-plugin" % "6.7.0" cross CrossVersion.full)
  ),
  "2.13.16" -> Seq(
    "org.chipsalliance" %% "chisel" % "7.14.0",
    compilerPlugin("org.chipsalliance" % "chisel-plugin" % "7.14.0" cross CrossVersion.full)
  )
)

def hauberk(name: String) = "org.hauberk" % name % "0.1.0-SNAPSHOT" cross CrossVersion.full

name := "hauberk-downstream"
scalaVersion := "2.12.20"
allowUnsafeScalaLibUpgrade := true
scalacOptions ++= (if (scalaVersion.value == "2.12.20") Seq("-Xsource:2.11") else Nil)
libraryDependencies ++= chisel(scalaVersion.value)
libraryDependencies ++= Seq("hauberk-memory", "hauberk-bus", "hauberk-instruction").map(hauberk)

// Rocket Chip 1.2.6, and with it the TileLink adapters, is for Chisel 3.2.6 alone
libraryDependencies ++= (if (scalaVersion.value == "2.12.20") Seq(hauberk("hauberk")) else Nil)
Compile / unmanagedSourceDirectories ++= (if (scalaVersion.value == "2.12.20") Seq(baseDirectory.value / "src/main/rocket")
                                          else Nil)
