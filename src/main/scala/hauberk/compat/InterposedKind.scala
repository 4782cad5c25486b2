package hauberk.compat

/** Kinds of adapters between tiles and their system bus, from the tiles outwards.
  *
  * @param place    order: a smaller one is nearer to the tiles
  * @param name     its name in messages
  * @param fragment fragment that adds it
  * @param changes  fragments that change it
  */
sealed abstract class InterposedKind(val place: Int, val name: String, val fragment: String, val changes: String)

/** The kinds, by their place: instruction decryption is nearest to the tiles, and the secure bus may be outside the chip. */
object InterposedKind {
  case object InstructionDecryption extends InterposedKind(
        0,
        "instruction decryption",
        "WithInstructionDecryption (or WithEmuCounter, WithEmuDirect)",
        "WithEmu"
      )
  case object ContextGuards
      extends InterposedKind(1, "guards of secure contexts", "WithContextGuard", "WithSecureContexts")
  case object ExportGates
      extends InterposedKind(2, "export gates", "WithMemoryProtection (or a scheme)", "WithProtection")
  case object SecureBus
      extends InterposedKind(3, "secure bus", "WithSecureBus (or WithSenss)", "WithBus and WithBusSecurity")
}
