package hauberk.bus

import hauberk.crypto.AesDatapath
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

// covers: bus.elaboration
class ElaborateSpec extends AnyFunSuite {
  private val small = BusSecurityParams(masks = 2, aesLatency = 20, window = 8)

  private val buses = Map(
    "in the clear" -> BusParams(3, 60, security = None),
    "as the paper has it" -> BusParams(3, 60),
    "on the fastest shared bus" ->
      BusParams(
        2,
        60,
        sharedBus = SharedBusParams.fastest,
        security = Some(BusSecurityParams(masks = 13, aesLatency = 13))
      ),
    "with GHASH" -> BusParams(2, 60, security = Some(small.copy(mac = BusMac.Ghash))),
    "whose tiles encrypt for memory" ->
      BusParams(3, 60, security = Some(small), pads = Some(PadParams(1024, coherence = PadCoherence.WriteUpdate))),
    "with masks of every sender, commands and several groups" ->
      BusParams(
        3,
        60,
        security = Some(small.copy(groups = 3, maskSource = BusMasks.PerSender, authenticateCommands = true))
      )
  )
  for ((name, params) <- buses) {
    test(s"a bus $name elaborates") {
      val verilog = Elaborate(new BroadcastBus(params))
      assert(verilog.contains("module BroadcastBus"))
      assert(verilog.contains("module SecurityHardwareUnit") == params.security.isDefined)
    }
  }

  test("ciphers are models where the parameters say so, those of tiles as well") {
    val model = AesDatapath.Model
    val units = BusParams(3, 60, security = Some(small.copy(aesDatapath = model)))
    val all = units.copy(pads = Some(PadParams(1024, aesDatapath = model)))
    for (params <- Seq(units, all)) {
      val verilog = Elaborate(new BroadcastBus(params))
      assert(verilog.contains("HauberkAesModel ") && !verilog.contains("module AesRound"))
    }
  }
}
