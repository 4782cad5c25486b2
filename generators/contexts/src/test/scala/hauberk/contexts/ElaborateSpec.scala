package hauberk.contexts

import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Every generator of this package elaborates on every Chisel, and what cannot be built is refused. */
// covers: contexts.elaboration
class ElaborateSpec extends AnyFunSuite {
  private val shapes = Seq(ContextParams(), ContextParams(1, 16, 1), ContextParams(255, 1 << 20, 64))
  for (p <- shapes) test(s"owners of ${p.pages} pages, ${p.contexts} contexts") {
    assert(Elaborate(new PageOwners(p, ports = 3)).contains("module PageOwners"))
    assert(Elaborate(new OwnerCache(p)).contains("module OwnerCache"))
    assert(Elaborate(new ActiveContext(p)).contains("module ActiveContext"))
  }

  test("a log of denials elaborates, of one port and of several") {
    for (ports <- Seq(1, 5)) assert(Elaborate(new DenialLog(ports)).contains("module DenialLog"))
  }

  test("a hasher and a page clearer elaborate") {
    for (slots <- Seq(2, 4)) {
      assert(Elaborate(new RangeHasher(lineNumberBits = 26, slots)).contains("module RangeHasher"))
      assert(Elaborate(new PageClearer(pageNumberBits = 20, slots)).contains("module PageClearer"))
    }
  }

  test("impossible parameters are refused") {
    val refused = Seq[(() => ContextParams, String)](
      (() => ContextParams(contexts = 0), "0 secure contexts: choose 1 to 255"),
      (() => ContextParams(contexts = 256), "256 secure contexts: choose 1 to 255"),
      (() => ContextParams(pages = 24), "24 pages: choose a power of two, 16 to 1048576"),
      (() => ContextParams(pages = 8), "8 pages: choose a power of two, 16 to 1048576"),
      (() => ContextParams(pages = 1 << 21), "2097152 pages: choose a power of two, 16 to 1048576"),
      (() => ContextParams(owners = 0), "0 pages at a port: choose 1 to 64"),
      (() => ContextParams(owners = 65), "65 pages at a port: choose 1 to 64")
    )
    for ((make, sentence) <- refused)
      assert(intercept[IllegalArgumentException](make()).getMessage.contains(sentence))
  }
}
