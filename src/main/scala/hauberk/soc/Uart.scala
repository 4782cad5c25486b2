package hauberk.soc

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.interrupts.{IntSourceNode, IntSourcePortSimple}
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources._
import freechips.rocketchip.tilelink.TLRegisterNode
import hauberk.tilelink.common.QuietRegisters
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A console that Linux drives as an `ns16550a`: one-byte registers, one byte apart (`reg-shift` 0).
  *
  * Bytes leave at once (`transmit` is valid for the one cycle of the store, the transmitter is never busy) and arrive one
  * at a time (`receive` is ready while the last byte has been read). There are no FIFOs, no line errors, no loop-back and
  * no baud rate: the divisor latch is storage only. Interrupts: byte received (cleared by reading it) and transmitter
  * empty (cleared by reading the identification register while it is the reason shown).
  *
  * @param base      address of the first register; the device takes 4 KiB
  * @param beatBytes width in bytes of the bus it sits on
  */
class Uart(base: BigInt, beatBytes: Int)(implicit p: Parameters) extends LazyModule with QuietRegisters {
  // A byte that is taken makes room for the next
  override def shown: Seq[AddressSet] = Seq(AddressSet(base, 0))
  val device = new SimpleDevice("serial", Seq("ns16550a")) {
    override def describe(resources: ResourceBindings): Description = {
      val Description(name, mapping) = super.describe(resources)
      val properties = Map("clock-frequency" -> 3686400, "reg-shift" -> 0, "reg-io-width" -> 1)
      Description(name, mapping ++ properties.map { case (key, value) => key -> Seq(ResourceInt(BigInt(value))) })
    }
  }
  val node = TLRegisterNode(Seq(AddressSet(base, 0xfff)), device, "reg", beatBytes = beatBytes)
  val interruptNode = IntSourceNode(IntSourcePortSimple(resources = device.int))

  lazy val module = new Impl

  /** Registers of the UART, and a byte at a time to and from the harness, without serial timing. */
  class Impl extends LazyModuleImp(this) {
    val transmit = IO(Output(Valid(UInt(8.W))))
    val receive = IO(Flipped(Decoupled(UInt(8.W))))

    private def register: UInt = RegInit(0.U(8.W))
    private val interruptEnable, lineControl, modemControl, scratch, divisorLow, divisorHigh = register
    private val received = register
    private val dataReady = RegInit(false.B)
    private val transmitterEmpty = RegInit(false.B)
    private val divisorAccess = lineControl(7)

    transmit.valid := false.B
    transmit.bits := 0.U
    receive.ready := !dataReady
    when(receive.valid && receive.ready) {
      received := receive.bits
      dataReady := true.B
    }

    private val receiveInterrupt = dataReady && interruptEnable(0)
    private val transmitInterrupt = transmitterEmpty && interruptEnable(1)
    interruptNode.out.head._1(0) := receiveInterrupt || transmitInterrupt

    private def whenWritten(action: UInt => Unit): RegWriteFn = RegWriteFn((valid: Bool, data: UInt) => {
      when(valid) { action(data) }
      true.B
    })

    node.regmap(
      0 -> Seq(
        RegField(
          8,
          RegReadFn((ready: Bool) => {
            when(ready && !divisorAccess) { dataReady := false.B }
            (true.B, Mux(divisorAccess, divisorLow, received))
          }),
          whenWritten { data =>
            when(divisorAccess) { divisorLow := data }.otherwise {
              transmit.valid := true.B
              transmit.bits := data
              transmitterEmpty := true.B
            }
          }
        )
      ),
      1 -> Seq(
        RegField(
          8,
          RegReadFn(Mux(divisorAccess, divisorHigh, interruptEnable)),
          whenWritten { data =>
            when(divisorAccess) { divisorHigh := data }.otherwise {
              interruptEnable := data & 0xf.U
              when(data(1)) { transmitterEmpty := true.B }
            }
          }
        )
      ),
      2 -> Seq(
        RegField(
          8,
          RegReadFn((ready: Bool) => {
            when(ready && !receiveInterrupt) { transmitterEmpty := false.B }
            (true.B, Mux(receiveInterrupt, 4.U(8.W), Mux(transmitInterrupt, 2.U(8.W), 1.U(8.W))))
          }),
          whenWritten { _ => } // FIFO control: there is none to control
        )
      ),
      3 -> Seq(RegField(8, lineControl)),
      4 -> Seq(RegField(8, modemControl)),
      5 -> Seq(RegField.r(8, Cat(0x30.U(7.W), dataReady))), // transmitter always empty
      6 -> Seq(RegField.r(8, 0xb0.U(8.W))), // carrier, set ready, clear to send
      7 -> Seq(RegField(8, scratch))
    )
  }
}
