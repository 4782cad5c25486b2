package hauberk.tools

import java.nio.ByteBuffer
import java.nio.file.Path

/** What a loader outside the chip needs of a package, in the form of Chipyard's simulators: `image.elf`, DRAM as it must be before the first access
  * (`+loadmem`), and `loader.args`, the options `+init_write` that bring size and wrapped key to the memory protector.
  */
private[tools] object LoaderFiles {
  def write(made: ProgramPackage, folder: Path): Unit = for {
    registers <- made.soc.loader
    keys <- made.keys
  } {
    Files.write(folder.resolve("image.elf"), Rv64Elf.write(made.program.entry, made.image +: made.tags.toSeq))
    Files.writeText(
      folder.resolve("loader.args"),
      arguments(registers, made.imageBlocks, Keys.wrap(keys.device, keys.static)) + "\n"
    )
  }

  private def arguments(registers: LoaderRegisters, imageBlocks: BigInt, wrappedKey: Array[Byte]): String = {
    val words = ByteBuffer.wrap(wrappedKey)
    val key = registers.wrappedKey.map(_ -> BigInt(words.getLong()))
    val halves = ((registers.imageBlocks -> imageBlocks) +: key).flatMap { case (address, word) =>
      Seq(0, 4).map(byte => (address + byte) -> (word >> 8 * byte))
    }
    (halves :+ (registers.command -> registers.unwrap))
      .map { case (address, word) => f"+init_write=0x$address%x:0x${word & 0xffffffffL}%x" }
      .mkString(" ")
  }
}
