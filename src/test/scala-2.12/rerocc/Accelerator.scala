package rerocc

import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import hauberk.tilelink.common.{Access, TLScript}

/** Stands for an accelerator of Chipyard's ReRoCC, which is in a package of this name: a master. */
class Accelerator(implicit p: Parameters) extends LazyModule {
  private val master = LazyModule(new TLScript(Seq(Access.read(0x8000, 0))))
  val node = master.node
  lazy val module = new LazyModuleImp(this)
}
