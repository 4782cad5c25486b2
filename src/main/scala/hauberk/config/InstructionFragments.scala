package hauberk.config

import hauberk.compat.{InterposedKind, TilePorts}
import hauberk.instruction.DecryptionMode
import hauberk.tilelink.instruction.{AttachInstructionDecryption, InstructionDecryptionKey, InstructionDecryptionParams}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Puts an encryption management unit at the instruction cache of every tile, with one key unit for all of them (SecSoft EMU).
  *
  * Must stand right of the fragments that change it, and left of every fragment that makes tiles or matches on how they are attached.
  */
class WithInstructionDecryption(params: InstructionDecryptionParams = InstructionDecryptionParams())
    extends Config(
      Parameters((_, _, _) => { case InstructionDecryptionKey => Some(params) }) ++
        TilePorts.interpose(
          InterposedKind.InstructionDecryption,
          AttachInstructionDecryption(_),
          Some((context, retired) => AttachInstructionDecryption.flushes(context)(retired())(context.p))
        ) ++
        Complain((site, _) => AttachInstructionDecryption.complaints(site))
    )

/** Instructions in counter mode: section III-A.2 of the paper. */
class WithEmuCounter extends WithInstructionDecryption

/** Instructions deciphered block by block, with a cipher for every block of a line: section III-A.1 of the paper. */
class WithEmuDirect extends WithInstructionDecryption(InstructionDecryptionParams(DecryptionMode.Direct()))

/** Changes the instruction decryption of the fragments to its right. */
class WithEmu(fragment: String, change: InstructionDecryptionParams => InstructionDecryptionParams)
    extends Edit(InstructionDecryptionKey, fragment, "an instruction decryption")(change)

/** So many encrypted pages at a time, 1 to 256. */
class WithEmuPages(pages: Int) extends WithEmu("WithEmuPages", _.copy(pages = pages))

/** So many slots for keys, 2 to 64, slot 0 included, which has none. */
class WithEmuKeySlots(slots: Int) extends WithEmu("WithEmuKeySlots", _.copy(keySlots = slots))

/** Latency of AES for instructions in cycles, 10 or more; the paper's takes 12. */
class WithEmuCipherLatency(cycles: Int) extends WithEmu("WithEmuCipherLatency", _.copy(extraLatency = cycles - 10))
