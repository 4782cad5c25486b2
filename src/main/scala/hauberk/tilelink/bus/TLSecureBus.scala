package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.{AddressSet, TransferSizes}
import freechips.rocketchip.tilelink._
import hauberk.bus._
import hauberk.compat._
import hauberk.tilelink.common.{AtTilePorts, Join, StatisticsObserver, UncachedPort}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** A shared bus between the tiles' master ports and the system bus, with a security hardware unit at each end of it (SENSS).
  *
  * Every edge of a tile is a member, with a PID from 1 on in the order of the edges; the home node, PID 0, holds the other end of all of
  * them. All channels cross the shared bus as messages ([[TLSerializer]], [[TLDeserializer]]), in order within a channel of an edge. A message waits only
  * for more urgent ones and for its receiver's room for its channel, so that TileLink's freedom of deadlock stays. Denies nothing but what
  * tiles that encrypt for memory must not do there ([[TLPadGate]]), and offers nothing longer than a line.
  *
  * A message without data, or of one TileLink beat, is on the shared bus in the bus cycle in which it comes, and goes on in the next cycle; a
  * longer one is sent when its last beat has come. A message is of the group of the page that it is about ([[TileGroups]], [[HomeGroups]]), group 0
  * unless software says otherwise. A tile's request for a page of a group that it is not in waits. Until group 0 is open, everything waits.
  *
  * @param lineBytes most data of a message
  * @param beatBytes width in bytes of the bus of the control registers
  * @param memory    the memory that the tiles encrypt, if they do: the home node and everything behind it see only its ciphertext
  */
class TLSecureBus(
    val params: SecureBusParams,
    lineBytes: Int,
    beatBytes: Int,
    memory: Option[AddressSet] = None
)(implicit
    p: Parameters
) extends AtTilePorts("secure-bus", params.address, beatBytes) {
  private val full = TransferSizes(1, lineBytes)

  /** [[TLPadGate]] may deny accesses. */
  private def gated(manager: TLManagerParameters): Boolean =
    memory.exists(own => manager.address.exists(_.overlaps(own)))

  protected def seen(manager: TLManagerParameters): TLManagerParameters = manager.v1copy(
    mayDenyGet = manager.mayDenyGet || gated(manager),
    mayDenyPut = manager.mayDenyPut || gated(manager),
    supportsGet = manager.supportsGet.intersect(full),
    supportsPutFull = manager.supportsPutFull.intersect(full),
    supportsPutPartial = manager.supportsPutPartial.intersect(full),
    supportsArithmetic = manager.supportsArithmetic.intersect(full),
    supportsLogical = manager.supportsLogical.intersect(full),
    supportsHint = manager.supportsHint.intersect(full)
  )

  private lazy val sides = ports.flatMap(node => node.in.zip(node.out))
  private lazy val edges = ports.flatMap(_.edges.in)

  /** The shared bus and its members; known once the nodes are connected. */
  lazy val busParams: BusParams = {
    require(edges.nonEmpty, "no tile is on the secure bus: leave it out, or attach it before the tiles")
    val pads = for {
      choice <- params.pads
      memory <- memory
      security <- params.security
    } yield PadParams(
      ((memory.mask + 1) / lineBytes).toInt,
      choice.countBits,
      choice.coherence,
      choice.aesLatency,
      security.aesDatapath,
      security.groups
    )
    val commands = edges.flatMap(TLSecureBus.channels).map(TLCommand.width).max
    BusParams(
      members = edges.size + 1,
      commandBits = math.max(commands, pads.fold(0)(PadMessage.bits)),
      lineBytes = lineBytes,
      sharedBus = params.sharedBus,
      security = params.security,
      pads = pads
    )
  }

  lazy val module = new Impl

  /** The broadcast bus, with a serializer and deserializer for each channel of each tile and of the home node. */
  class Impl extends LazyModuleImp(this) {
    private val shape = busParams
    val pins = IO(new SecureBusPins(shape))
    private val bus = Module(new BroadcastBus(shape))
    private val home = bus.io.home
    bus.io.taps := pins.taps
    pins.view := bus.io.view

    /** By tile: what says of which groups its messages are; none with one group. */
    private val views = if (shape.pageRanges == 0) Nil else edges.map(_ => Wire(new GroupView(shape)))

    /** Messages that wait to be sent, with their groups. */
    private var kept: Seq[Valid[UInt]] = Nil

    /** By member: a message came to it whose data are not as long as its command says. */
    private val malformed = Seq.fill(shape.members)(scala.collection.mutable.Buffer[Bool]())

    private val outwards = for ((((in, edge), (out, _)), i) <- sides.zipWithIndex) yield {
      TLSecureBus.check(edge, lineBytes)
      val tile = bus.io.tiles(i)
      val coherent = !UncachedPort.is(edge)

      def send[T <: TLChannel](kind: => T, beats: DecoupledIO[T], peer: Int, group: UInt): DecoupledIO[BusMessage] = {
        val gather = Module(new TLSerializer(shape, edge, kind))
        Join(gather.io.beats, beats)
        gather.io.peer := peer.U
        gather.io.group := group
        kept = kept :+ gather.io.kept
        gather.io.message
      }
      def receive[T <: TLChannel](pid: Int, kind: => T, beats: DecoupledIO[T]): TLDeserializer[T] = {
        val scatter = Module(new TLDeserializer(shape, edge, kind))
        Join(beats, scatter.io.beats)
        scatter.io.astray := false.B
        scatter.io.inFlight := false.B
        malformed(pid) += scatter.io.malformed
        scatter
      }
      def silent: DecoupledIO[BusMessage] = {
        val nothing = Wire(Decoupled(new BusMessage(shape)))
        nothing.valid := false.B
        nothing.bits := 0.U.asTypeOf(new BusMessage(shape))
        nothing
      }
      def tiedOff: DecoupledIO[BusMessage] = {
        val sink = Wire(Decoupled(new BusMessage(shape)))
        sink.ready := true.B
        sink
      }
      def a = new TLBundleA(edge.bundle)
      def b = new TLBundleB(edge.bundle)
      def c = new TLBundleC(edge.bundle)
      def d = new TLBundleD(edge.bundle)
      def e = new TLBundleE(edge.bundle)

      // The groups of messages, at each end
      val tileGroups = views.lift(i).map { view =>
        val groups = Module(new TileGroups(shape, edge))
        groups.io.view := view
        groups.io
      }
      val homeGroups = views.lift(i).map { view =>
        val groups = Module(new HomeGroups(shape, edge))
        groups.io.view := view
        groups.io
      }
      def ofTile(group: TileGroupsIO => UInt): UInt = tileGroups.fold(0.U(shape.gidBits.W))(group)
      def ofHome(group: HomeGroupsIO => UInt): UInt = homeGroups.fold(0.U(shape.gidBits.W))(group)

      val pads = bus.io.pads.map { ports =>
        val pages = Wire(new PageGroupsOf(shape.pads.get))
        pages.asks := ofTile(_.ofA)
        pages.asked := ofTile(_.ofB)
        pages.begins := ofTile(_.ofC)
        new TilePadEdge(shape, edge, memory.get, in, coherent, pages, ports(i))
      }
      val requests = pads.fold(in.a)(_.requests)
      tile.send(0) <> send(a, requests, BusParams.home, ofTile(_.ofA))
      val released = if (coherent) send(c, in.c, BusParams.home, ofTile(_.ofC)) else silent
      tile.send(1) <> pads.fold(released)(_.leave(released))
      tile.send(2) <> (if (coherent) send(e, in.e, BusParams.home, ofTile(_.ofE)) else silent)
      (if (coherent) receive(i + 1, b, in.b).io.message else tiedOff) <> tile.receive(0)
      val answered = receive(i + 1, d, pads.fold(in.d)(_.answers))
      answered.io.message <> pads.fold(tile.receive(1))(_.come(tile.receive(1)))

      val asked = receive(BusParams.home, a, out.a)
      val left = if (coherent) Some(receive(BusParams.home, c, out.c)) else None
      for (groups <- tileGroups) {
        groups.seeTile(in, requests, coherent)
        groups.seeAnswers(answered)
      }
      for (groups <- homeGroups) {
        groups.seeHome(out, edge, coherent)
        groups.seeMessages(asked, left)
      }
      (
        Seq(if (coherent) send(b, out.b, i + 1, ofHome(_.ofB)) else silent, send(d, out.d, i + 1, ofHome(_.ofD))),
        Seq(
          asked.io.message,
          left.fold(tiedOff)(_.io.message),
          if (coherent) receive(BusParams.home, e, out.e).io.message else tiedOff
        )
      )
    }

    for ((port, channel) <- home.send.zipWithIndex) {
      val arbiter = Module(new TurnArbiter(new BusMessage(shape), edges.size))
      for ((input, (sent, _)) <- arbiter.io.in.zip(outwards)) { input <> sent(channel) }
      port <> arbiter.io.out
    }
    for ((port, channel) <- home.receive.zipWithIndex) {
      val mine = outwards.indices.map(i => port.bits.peer === (i + 1).U)
      val received = outwards.map(_._2(channel))
      // Messages without a valid source are dropped
      port.ready := !mine.reduce(_ || _) || Mux1H(mine, received.map(_.ready))
      for ((sink, isMine) <- received.zip(mine)) {
        sink.valid := port.valid && isMine
        sink.bits := port.bits
      }
    }

    private val units = bus.io.control.toSeq.flatten
    private val statistics = SharedBusCounters(shape, bus.io.view, units.map(_.statistics))
    pins.statistics := statistics
    StatisticsObserver.show("bus", statistics)
    pins.announced := PadAnnouncement(shape, bus.io.view)
    private val registers = SecureBusRegisters.common(shape, statistics)
    if (shape.security.isEmpty) {
      pins.entropy.ready := false.B
      pins.alarm := 0.U.asTypeOf(new BusAlarmPins(shape))
      controlNode.regmap(registers: _*)
    } else {
      val control = Module(new SecureBusControl(shape))
      control.io.fuse := pins.fuse
      control.io.entropy <> pins.entropy
      control.io.units.zip(units).foreach { case (port, unit) => unit <> port }
      control.io.busy := kept.map(message =>
        Mux(message.valid, UIntToOH(message.bits, shape.secure.groups), 0.U)
      ).reduce(_ | _)
      for ((view, i) <- views.zipWithIndex) {
        view.ranges := control.io.state.ranges
        view.agreed := control.io.state.agreed(BusParams.home) & control.io.state.agreed(i + 1)
      }
      for ((fault, bad) <- control.io.faults.zip(malformed)) {
        fault := Mux(bad.foldLeft(false.B)(_ || _), BusAlarm.malformed.U, BusAlarm.none.U)
      }
      for {
        ports <- bus.io.pads
        i <- edges.indices
      } {
        val loader = Module(new PadKeyLoader(shape.secure.aesDatapath))
        loader.io.deviceKey := pins.fuse.deviceKeys(i + 1)
        loader.io.keyValid := pins.fuse.valid
        loader.io.wrapped := pins.wrappedKey
        ports(i).vendorKey := loader.io.key
        when(ports(i).exhausted) { control.io.faults(i + 1) := BusAlarm.exhausted.U }
        when(loader.io.failed) { control.io.faults(i + 1) := BusAlarm.noKey.U }
      }
      pins.alarm := control.io.alarm
      val commanded = SecureBusRegisters.secured(shape, control.io.state, control.io.alarm, control.io.requests)
      controlNode.regmap(registers ++ commanded: _*)
    }
  }
}

/** The five channels of a TileLink edge, and the check that their beats and lines fit a message. */
private[tilelink] object TLSecureBus {
  private def channels(edge: TLEdge): Seq[Bundle] = Seq(
    new TLBundleA(edge.bundle),
    new TLBundleB(edge.bundle),
    new TLBundleC(edge.bundle),
    new TLBundleD(edge.bundle),
    new TLBundleE(edge.bundle)
  )

  /** Refuses parameters that messages cannot carry. */
  private def check(edge: TLEdgeIn, lineBytes: Int): Unit = {
    require(
      edge.manager.beatBytes <= lineBytes,
      s"beats of ${edge.manager.beatBytes} bytes do not fit messages of $lineBytes: make the system bus narrower"
    )
    require(
      edge.manager.managers.forall(_.supportsAcquireB.max <= lineBytes),
      s"lines longer than $lineBytes bytes do not fit a message: make CacheBlockBytes larger"
    )
  }
}
