package hauberk.compat

/** Kinds of adapters at the coherence manager, from it outwards.
  *
  * @param place    order: a smaller one is nearer to the manager
  * @param name     its name in messages
  * @param fragment fragment that adds it
  * @param others   more fragments that add it, and those that change what is there
  */
sealed abstract class CoherenceKind(val place: Int, val name: String, val fragment: String, val others: String)

/** The kinds, by their place: a cache holds plaintext, so it is nearer to the manager than what encrypts. */
object CoherenceKind {
  case object LastLevelCache
      extends CoherenceKind(
        0,
        "last-level cache",
        "WithLastLevelCache",
        "WithLastLevelCache; WithLastLevelWays and WithLastLevelMshrs change what is there"
      )
  case object MemoryProtector
      extends CoherenceKind(
        1,
        "memory protector",
        "WithMemoryProtection",
        "WithMemoryProtection and the schemes; WithProtection changes the scheme of what is there"
      )
  case object ContextGuard
      extends CoherenceKind(
        2,
        "guard of secure contexts",
        "WithContextGuard",
        "WithContextGuard; WithSecureContexts changes what is there"
      )
}
