package hauberk.contexts

import chisel3._
import chisel3.util._
import hauberk.testing.{Proof, ProofSuite}

/** Two ports of a table, each with what it knows, under any changes, and asked for any page in every cycle.
  *
  * @param hear ports are told of changes
  */
private class KnownOwners(p: ContextParams, hear: Boolean = true) extends Module {
  val change = IO(Flipped(Decoupled(new Ownership(p))))
  val asks = IO(Input(Vec(2, Bool())))
  val pages = IO(Input(Vec(2, UInt(p.pageNumberBits.W))))
  private val table = Module(new PageOwners(p, 2))
  table.io.change <> change
  private val changed = change.valid && change.ready
  private val owners = RegInit(VecInit(Seq.fill(p.pages)(0.U(p.spidBits.W))))
  when(changed) { owners(change.bits.page) := change.bits.owner }
  for (i <- 0 until 2) {
    val port = Module(new OwnerCache(p))
    port.io.page.valid := asks(i)
    port.io.page.bits := pages(i)
    port.io.changed := changed && hear.B
    table.io.lookup(i) <> port.io.table
    assert(!port.io.known || port.io.owner === owners(pages(i)))
  }
}

/** Property (j): what a port knows of the owner of a page is what the table was last told, or nobody, whatever the table's memory held before reset. */
// covers: contexts.owner-changes
class PageOwnersProof extends ProofSuite {
  private val tiny = ContextParams(contexts = 2, pages = 16, owners = 1)
  private val points = Seq("1 owner a port" -> tiny, "2 owners a port, two rows" -> tiny.copy(owners = 2, pages = 32))
  for ((name, p) <- points) holds('j', name)(new KnownOwners(p))

  private val rows = tiny.copy(pages = 32)
  refuted('j', "ports that do not hear of changes", 8)(new KnownOwners(tiny, hear = false))
  refuted(
    'j',
    "a port that knows every page",
    8,
    change = Proof.tie("OwnerCache", "io.known", 1)
  )(new KnownOwners(rows))
  refuted('j', "a look-up in the cycle of a change", 8, change = Proof.tie("PageOwners", "changes", 0))(
    new KnownOwners(rows)
  )
  refuted('j', "an answer from a row that is not cleared yet", 8, change = Proof.tie("PageOwners", "blank", 0))(
    new KnownOwners(rows)
  )
}
