package hauberk.tools

import java.nio.file.Path

/** What members of the bus told each other of encryption for memory, read off the shared bus.
  *
  * @param shares   what each member said at the first set-up, by PID
  * @param counters the last counter that was announced for a block
  */
case class SharedBusRecord(shares: Seq[BigInt], counters: Map[BigInt, BigInt])

/** What the harness recorded of a run, as far as the checker needs it.
  *
  * @param dataWrites      blocks of data that were written to DRAM; those of metadata are `metadataWrites`
  * @param entropy         64-bit words that the SoC took from its entropy source
  * @param plaintextWrites words of the image that were seen on their way to DRAM in the clear; none if nobody watched
  * @param sharedBus       what was said on the shared bus of encryption for memory; none where tiles do none
  */
case class RunRecord(
    config: String,
    program: String,
    dataWrites: BigInt,
    metadataWrites: BigInt,
    entropy: Seq[BigInt],
    plaintextWrites: Option[BigInt],
    sharedBus: Option[SharedBusRecord] = None
)

/** Reads the record that the simulator writes. */
object RunRecord {
  def read(path: Path): RunRecord = {
    val json = JsonFile.read(path, "run record")
    val dram = json.child("dram")
    RunRecord(
      json.text("config"),
      json.text("program"),
      dram.number("data_writes"),
      dram.number("metadata_writes"),
      json.child("entropy").numbers("words"),
      if (json.has("plaintext_writes")) Some(json.number("plaintext_writes")) else None,
      if (json.has("pads")) Some(sharedBusRecord(json.child("pads"))) else None
    )
  }

  private def sharedBusRecord(json: JsonFile): SharedBusRecord = SharedBusRecord(
    json.numbers("shares"),
    json.children("announced").map { said =>
      said.number("block") -> TilePads.counter(said.number("count"), said.int("writer"))
    }.toMap
  )
}
