package hauberk.config

import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Config, Field, Parameters}

/** Changes the choice of a fragment to its right. An edit that cannot be made leaves that as it is, and is complained of ([[Complain]]); so is one
  * that has nothing to change.
  *
  * @param key      of the changed choice
  * @param fragment name of this fragment
  * @param what     name of the changed part, as in "a memory protector"
  * @param change   may refuse ([[Refusal]], or a `require`)
  */
class Edit[T](key: Field[Option[T]], fragment: String, what: String)(change: T => T)
    extends Config(
      Edit(key)(change) ++ Complain((_, right) =>
        Refusal.broken(
          right(key).isDefined ->
            s"$fragment changes $what, and there is none to its right: put it left of what brings one, or leave it out"
        )
      )
    )

private[config] object Edit {

  /** The same for an optional part. */
  def apply[T](key: Field[Option[T]])(change: T => T): Parameters =
    Parameters((site, _, up) => { case `key` =>
      up(key, site).map(old => Refusal.attempt(change(old)).fold(_ => old, changed => changed))
    }) ++ Complain((_, right) =>
      right(key).toSeq.flatMap(old => Refusal.attempt(change(old)).fold(why => why, _ => Nil))
    )
}
