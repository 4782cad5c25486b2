package hauberk.tools

/** What is known of the memory that a run left: read-only segments, block by block, and results, by their checksum. */
object KnownMemory {
  def apply(made: ProgramPackage, uart: UartLog): Seq[KnownContents] = {
    val block = made.soc.blockBytes
    val constants = for {
      segment <- made.program.segments if !segment.writable
      end = segment.address + segment.data.length
      address <- Region(segment.address, end).blocks(block)
    } yield {
      val part = Region(segment.address.max(address), end.min(address + block))
      val wanted = segment.data.slice((part.start - segment.address).toInt, (part.end - segment.address).toInt)
      KnownContents(Seq(address), decrypted => part.read(block, decrypted).sameElements(wanted))
    }
    val results = for {
      region <- made.program.results.toSeq
      checksum <- uart.checksum
    } yield KnownContents(region.blocks(block), decrypted => Fnv1a(region.read(block, decrypted)) == checksum)
    constants ++ results
  }
}
