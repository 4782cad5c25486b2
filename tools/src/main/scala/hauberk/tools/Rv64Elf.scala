package hauberk.tools

import net.fornwall.jelf.ElfFile
import scala.util.control.NonFatal

/** ELF files of programs for RV64. */
object Rv64Elf {

  /** Parses a file's content; throws a [[UserError]] that begins with its name if it is none. What is damaged in it shows when it is read. */
  def parse(content: Array[Byte], name: String): ElfFile = {
    def refuse(reason: String) = throw new UserError(s"$name $reason")
    val elf =
      try ElfFile.from(content)
      catch { case NonFatal(_) => refuse("is not an ELF file: give a program linked for RV64") }
    if (elf.is32Bits) refuse("is a 32-bit ELF: compile it for RV64 (-march=rv64gc)")
    if (elf.ei_data != ElfFile.DATA_LSB) refuse("is a big-endian ELF: compile it for little-endian RV64")
    if (elf.e_machine != ElfFile.ARCH_RISCV)
      refuse(s"is an ELF for machine ${elf.e_machine}, not RISC-V: compile it for RV64")
    elf
  }

  /** An address or size, of which jelf makes a signed number. */
  def unsigned(value: Long): BigInt = BigInt(value) & ((BigInt(1) << 64) - 1)
}
