package hauberk.tools

import java.nio.file.Path

/** Blocks of 64 bytes that crossed the pins of DRAM. */
case class DramTraffic(dataReads: BigInt, dataWrites: BigInt, metadataReads: BigInt, metadataWrites: BigInt)

/** The model of DRAM that a run was made with.
  *
  * @param latency       cycles from a request to its first beat
  * @param cyclesPerBeat cycles for which each beat holds the data bus
  * @param busBytes      width of the data bus
  * @param outstanding   reads in flight, and writes in flight, at most
  * @param writeQueue    writes that the memory controller holds until the bus is free of reads; 0 for none
  */
case class DramTiming(latency: Int, cyclesPerBeat: Int, busBytes: Int, outstanding: Int, writeQueue: Int)

/** What passed on the shared bus between the tiles and the system bus.
  *
  * @param used            bus cycles with a beat of any kind
  * @param authentications those of them that showed a MAC
  * @param alarm           a member raised the alarm
  */
case class BusTraffic(used: BigInt, authentications: BigInt, alarm: Boolean)

/** What members of the bus told each other of encryption for memory, read off the shared bus.
  *
  * @param shares   what each member said at the first set-up, by PID
  * @param counters the last counter that was announced for a block
  */
case class SharedBusRecord(shares: Seq[BigInt], counters: Map[BigInt, BigInt])

/** What the harness recorded of a run.
  *
  * @param exitCode exit code of the program, or of the harness where the program did not end
  * @param hits     look-ups of the counter cache that hit; those that missed are `misses`
  * @param entropy  64-bit words that the SoC took from its entropy source
  * @param plaintextWrites words of the image that were seen on their way to DRAM in the clear; none if nobody watched
  * @param bus what passed on the shared bus; none where there is none
  * @param sharedBus what was said there of encryption for memory; none where tiles do none
  * @param initialisationCycles cycles from reset until the protector can be armed, apart from keys; none if the record does not say
  */
case class RunRecord(
    config: String,
    program: String,
    exitCode: Int,
    timing: DramTiming,
    dram: DramTraffic,
    hits: BigInt,
    misses: BigInt,
    entropy: Seq[BigInt],
    plaintextWrites: Option[BigInt],
    initialisationCycles: Option[BigInt] = None,
    bus: Option[BusTraffic] = None,
    sharedBus: Option[SharedBusRecord] = None
)

/** Reads the record that the simulator writes. */
object RunRecord {
  def read(path: Path): RunRecord = {
    val json = JsonFile.read(path, "run record")
    val dram = json.child("dram")
    val cache = json.child("counter_cache")
    RunRecord(
      json.text("config"),
      json.text("program"),
      json.int("exit_code"),
      DramTiming(
        dram.int("latency"),
        dram.int("cycles_per_beat"),
        dram.int("bus_bytes"),
        dram.int("outstanding"),
        dram.int("write_queue")
      ),
      DramTraffic(
        dram.number("data_reads"),
        dram.number("data_writes"),
        dram.number("metadata_reads"),
        dram.number("metadata_writes")
      ),
      cache.number("hits"),
      cache.number("misses"),
      json.child("entropy").numbers("words"),
      if (json.has("plaintext_writes")) Some(json.number("plaintext_writes")) else None,
      if (json.has("initialisation_cycles")) Some(json.number("initialisation_cycles")) else None,
      if (json.has("bus")) Some(busTraffic(json.child("bus"))) else None,
      if (json.has("pads")) Some(sharedBusRecord(json.child("pads"))) else None
    )
  }

  private def busTraffic(json: JsonFile): BusTraffic =
    BusTraffic(json.number("used"), json.number("authentications"), json.flag("alarm"))

  private def sharedBusRecord(json: JsonFile): SharedBusRecord = SharedBusRecord(
    json.numbers("shares"),
    json.children("announced").map { said =>
      said.number("block") -> TilePads.counter(said.number("count"), said.int("writer"))
    }.toMap
  )
}
