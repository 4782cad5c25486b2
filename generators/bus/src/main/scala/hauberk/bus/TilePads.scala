package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** Ports of [[TilePads]] to the tile. */
class TilePadsPorts(val p: PadParams, val lineBits: Int) extends Bundle {

  /** What the vendor encrypted memory with; it stays once it is there, and nothing is encrypted or decrypted before. */
  val vendorKey = Flipped(Valid(UInt(128.W)))

  /** A block that will be asked for soon: it was asked of memory, or is being asked for by it. */
  val expectDecryption = Flipped(Valid(new PadPlace(p)))
  val expectEncryption = Flipped(Valid(new PadPlace(p)))
  val encrypt = Flipped(Decoupled(new PadWork(p, lineBits)))
  val encrypted = Decoupled(UInt(lineBits.W))
  val decrypt = Flipped(Decoupled(new PadWork(p, lineBits)))
  val decrypted = Decoupled(UInt(lineBits.W))

  /** A counter has come to its end; what would need another one waits for ever. */
  val exhausted = Output(Bool())
}

/** Encryption for memory in the tile itself, by one-time pads, with counters that tiles keep coherent (section 6.1).
  *
  * The pad of a block is AES_K of the block, of a counter and of the PID of who encrypted it, in the format of the memory protector's
  * one-time pads, counter and PID being its counter, so that what the vendor encrypted has counter 0; that is under the vendor's
  * key, all else under the key that the tiles of the group of the block's page have since reset. No tile uses a counter twice for a
  * block, and no two tiles have a PID in common: so no pad is made twice, whatever others say. A block that is encrypted is
  * announced before its ciphertext leaves, so that who receives the ciphertext has received its counter.
  */
class TilePads(val p: PadParams, val pidBits: Int, val lineBits: Int) extends Module {
  val io = IO(new Bundle {
    val pid = Input(UInt(pidBits.W))
    val ports = new TilePadsPorts(p, lineBits)

    /** To and from the other tiles, which receive all messages in the same order. */
    val transmit = Decoupled(new PadMessage(p))
    val receive = Flipped(Decoupled(new PadMessage(p)))
    val source = Input(UInt(pidBits.W))

    /** By group: the key of its tiles, new after every reset. */
    val keys = Vec(p.groups, Flipped(Valid(UInt(128.W))))
  })
  private val ports = io.ports
  private val table = Module(new PadTable(p, pidBits, 2))
  private val encryptor = Module(new PadWorker(p, pidBits, lineBits, encrypts = true))
  private val decryptor = Module(new PadWorker(p, pidBits, lineBits, encrypts = false))
  private val workers = Seq(decryptor, encryptor)
  encryptor.io.hint := ports.expectEncryption
  encryptor.io.work <> ports.encrypt
  // A cycle later, when its announcement is at the bus, too, and more urgent than it
  ports.encrypted <> Queue(encryptor.io.done, 1)
  decryptor.io.hint := ports.expectDecryption
  decryptor.io.work <> ports.decrypt
  ports.decrypted <> decryptor.io.done
  ports.exhausted := encryptor.io.exhausted

  table.io.received <> io.receive
  table.io.source := io.source
  table.io.write.valid := encryptor.io.write.valid
  table.io.write.bits.block := encryptor.io.block
  table.io.write.bits.entry := encryptor.io.write.bits

  private val aes = Module(new AesCore(AesParams(sBox = SBoxStyle.Table, tagBits = 1, datapath = p.aesDatapath)))
  private val jobs = Module(new Arbiter(new PadJob(p, pidBits, lineBits / 128), workers.size))
  for ((worker, number) <- workers.zipWithIndex) {
    worker.io.pid := io.pid
    table.io.look(number) <> worker.io.look
    worker.io.found := table.io.found
    // The decryptor also needs this tile's own encryptions
    worker.io.changed := table.io.changed
    if (!worker.encrypts) {
      when(encryptor.io.write.valid) {
        worker.io.changed.valid := true.B
        worker.io.changed.bits := encryptor.io.block
      }
    }
    // What is only expected of a group without key leaves the cipher to others
    val usable = ports.vendorKey.valid && Choose(io.keys.map(_.valid), worker.io.job.bits.place.group)
    jobs.io.in(number) <> worker.io.job
    jobs.io.in(number).valid := worker.io.job.valid && usable
    worker.io.job.ready := jobs.io.in(number).ready && usable
    worker.io.made.valid := aes.io.response.valid && aes.io.response.bits.tag === number.U
    // Memory has the first byte of a block in its lowest bits
    worker.io.made.bits := Cat((0 until 16).map(i => aes.io.response.bits.block(8 * i + 7, 8 * i)))
  }
  private val job = jobs.io.out
  aes.io.request.valid := job.valid
  aes.io.request.bits.block := TilePads.input(job.bits)
  aes.io.request.bits.key := Mux(
    job.bits.count === 0.U,
    ports.vendorKey.bits,
    Choose(io.keys.map(_.bits), job.bits.place.group)
  )
  aes.io.request.bits.decrypt := false.B
  aes.io.request.bits.tag := jobs.io.chosen
  job.ready := aes.io.request.ready
  aes.io.response.ready := true.B

  // A counter goes up only while nothing is being said of the old one, and a reply leaves before further questions are received
  private val messages = Module(new Queue(new PadMessage(p), 2))
  private val arbiter = Module(new Arbiter(new PadMessage(p), 2))
  arbiter.io.in(0).valid := encryptor.io.message.valid && table.io.quiet
  arbiter.io.in(0).bits := encryptor.io.message.bits
  encryptor.io.message.ready := arbiter.io.in(0).ready && table.io.quiet
  arbiter.io.in(1) <> decryptor.io.message
  messages.io.enq <> arbiter.io.out
  io.transmit.valid := table.io.reply.valid || messages.io.deq.valid
  io.transmit.bits := Mux(table.io.reply.valid, table.io.reply.bits, messages.io.deq.bits)
  table.io.reply.ready := io.transmit.ready
  messages.io.deq.ready := io.transmit.ready && !table.io.reply.valid
}

/** The AES input of a tile's pad: 128 bits in the format of the memory protector's data pads. */
object TilePads {

  /** The format of the memory protector's data pads, in its engine 0. */
  private val dataPad = 1
  private val writerBits = 5

  def input(job: PadJob): UInt = Cat(
    dataPad.U(8.W),
    0.U(8.W),
    job.place.block + 0.U(40.W),
    Cat(job.count, job.writer + 0.U(writerBits.W)) + 0.U(64.W),
    job.aesBlock + 0.U(8.W)
  )
}
