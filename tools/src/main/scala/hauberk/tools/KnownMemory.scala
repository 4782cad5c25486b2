package hauberk.tools

/** What is known of the memory that a run left: read-only segments, block by block, and results, by their checksum. */
object KnownMemory {
  def apply(made: ProgramPackage, uart: UartLog): Seq[KnownContents] = {
    val block = made.soc.blockBytes
    def blocks(region: Region) = region.start / block * block until region.end by block
    def read(region: Region, at: Seq[BigInt], decrypted: BigInt => Array[Byte]) = {
      val skipped = (region.start - at.head).max(0).toInt
      at.toArray.flatMap(address => decrypted(address)).slice(
        skipped,
        (region.end - at.head).min(BigInt(block) * at.size).toInt
      )
    }
    val constants = for {
      segment <- made.program.segments if !segment.writable
      region = Region(segment.address, segment.address + segment.data.length)
      address <- blocks(region)
    } yield {
      val wanted =
        segment.data.slice((address - segment.address).toInt.max(0), (address - segment.address).toInt + block)
      KnownContents(Seq(address), decrypted => read(region, Seq(address), decrypted).sameElements(wanted))
    }
    val results = for {
      region <- made.program.results.toSeq
      checksum <- uart.checksum
    } yield KnownContents(
      blocks(region),
      decrypted => Fnv1a(read(region, blocks(region), decrypted)) == checksum
    )
    constants ++ results
  }
}
