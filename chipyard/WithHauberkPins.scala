package chipyard

import chipyard.harness.{HarnessBinder, HasHarnessInstantiators}
import chipyard.iobinders.{OverrideLazyIOBinder, Port}
import chisel3._
import chisel3.util.DecoupledIO
import freechips.rocketchip.diplomacy.{InModuleBody, LazyModule}
import freechips.rocketchip.subsystem.BaseSubsystem
import hauberk.config.WithChipPins
import hauberk.tilelink.common.{ClockedPins, TestEntropy, Provisioning}
import hauberk.tilelink.protector.{AttachMemoryProtector, ProtectorPins}
import hauberk.tilelink.bus.{AttachSecureBus, BusSecretPins}
import hauberk.tilelink.contexts.{AttachContextGuards, ContextPins}
import hauberk.tilelink.instruction.{AttachInstructionDecryption, InstructionDecryptionPins}
import org.chipsalliance.cde.config.{Config, Parameters}

/** Fuses, random words and the user's token come to the memory protector, the secure bus, instruction decryption and secure contexts by pins of the chip, with the
  * clock they are of. In simulators the test harness has them, the same after every reset.
  */
class WithHauberkPins(seed: Int = 1) extends Config(
  new WithSimSecrets(seed) ++
  new WithSecretsPunchthrough ++
  new WithChipPins)

/** The chip's port with fuses and random words of the memory protector. */
case class MemoryProtectorPort(getIO: () => ClockedPins[ProtectorPins]) extends Port[ClockedPins[ProtectorPins]]

/** The chip's port with fuses and the user's token of instruction decryption. */
case class InstructionDecryptionPort(getIO: () => ClockedPins[InstructionDecryptionPins]) extends Port[ClockedPins[InstructionDecryptionPins]]

/** The chip's port with fuses and random words of secure contexts. */
case class SecureContextsPort(getIO: () => ClockedPins[ContextPins]) extends Port[ClockedPins[ContextPins]]

/** The chip's port with fuses and random words of the secure bus. */
case class SecureBusPort(getIO: () => ClockedPins[BusSecretPins]) extends Port[ClockedPins[BusSecretPins]]

/** Brings the secrets' ports of the system to the chip. */
class WithSecretsPunchthrough extends OverrideLazyIOBinder({
  (system: BaseSubsystem) => {
    implicit val p: Parameters = system.p
    val protector = AttachMemoryProtector.chipPins(system).map(_.node.makeSink())
    val bus = AttachSecureBus.chipPins(system).map(_.node.makeSink())
    val decryption = AttachInstructionDecryption.chipPins(system).map(_.node.makeSink())
    val contexts = AttachContextGuards.chipPins(system).map(_.node.makeSink())
    InModuleBody {
      def pins[T <: Data](name: String, inner: T): T = {
        val outer = IO(chiselTypeOf(inner)).suggestName(name)
        outer <> inner
        outer
      }
      val ports = protector.map(sink => pins("memory_protector", sink.bundle)).map(io => MemoryProtectorPort(() => io)) ++
        bus.map(sink => pins("secure_bus", sink.bundle)).map(io => SecureBusPort(() => io)) ++
        decryption.map(sink => pins("instruction_decryption", sink.bundle)).map(io => InstructionDecryptionPort(() => io)) ++
        contexts.map(sink => pins("secure_contexts", sink.bundle)).map(io => SecureContextsPort(() => io))
      (ports.toSeq, Nil)
    }
  }
})

/** What a chip has in its fuses, and its random words, made by the test harness: no secret. */
class WithSimSecrets(seed: Int = 1) extends HarnessBinder({
  case (th: HasHarnessInstantiators, port: MemoryProtectorPort, _: Int) =>
    val source = Provisioning.TestKeys(seed)
    SimSecrets.words(th, port.io.clock, port.io.pins.entropy, source, Provisioning.protector)
    for (fuse <- port.io.pins.fuse) {
      fuse.deviceKey := source.key(0).U
      fuse.valid := true.B
    }
  case (th: HasHarnessInstantiators, port: SecureBusPort, _: Int) =>
    val source = Provisioning.TestKeys(seed)
    SimSecrets.words(th, port.io.clock, port.io.pins.entropy, source, Provisioning.bus)
    port.io.pins.fuse.useTestKeys(source)
  case (th: HasHarnessInstantiators, port: InstructionDecryptionPort, _: Int) =>
    port.io.pins.useTestKeys(Provisioning.TestKeys(seed))
  case (th: HasHarnessInstantiators, port: SecureContextsPort, _: Int) =>
    val source = Provisioning.TestKeys(seed)
    SimSecrets.words(th, port.io.clock, port.io.pins.entropy, source, Provisioning.contexts)
    port.io.pins.useTestKeys(source)
})

/** Random words of the test harness. */
private object SimSecrets {
  def words(th: HasHarnessInstantiators, clock: Clock, sink: DecoupledIO[UInt], source: Provisioning.TestKeys, user: Int): Unit =
    withClockAndReset(clock, th.harnessBinderReset) {
      val entropy = Module(LazyModule(new TestEntropy(source, user)(Parameters.empty)).module)
      sink <> entropy.words
    }
}
