package hauberk.config

import hauberk.memory.common.Refusal
import hauberk.tilelink.common.ComplaintsKey
import org.chipsalliance.cde.config.{Config, Field}

/** Changes what a fragment to its right chose. An edit that cannot be made leaves that as it is, and is complained of when the SoC is made:
  * with all others, so that one attempt shows everything that is to be changed.
  *
  * @param key      of what is changed
  * @param fragment name of this fragment
  * @param what     is changed, as in "a memory protector"
  * @param change   may refuse ([[Refusal]], or a `require`)
  */
class Edit[T](key: Field[Option[T]], fragment: String, what: String)(change: T => T)
    extends Config((site, _, up) => {
      case `key` => up(key, site).map(old => Refusal.attempt(change(old)).fold(_ => old, changed => changed))
      case ComplaintsKey =>
        up(ComplaintsKey, site) ++ up(key, site).map(old =>
          Refusal.attempt(change(old)).fold(why => why, _ => Nil)
        ).getOrElse(
          Seq(
            s"$fragment changes $what, and there is none to its right: put it left of what brings one, or leave it out"
          )
        )
    })
