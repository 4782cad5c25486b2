package hauberk.instruction

import hauberk.abi.Codes

/** Result of a command of software. */
object EmuError extends Codes {
  val none: Int = code(0, "ok", "none")
  val badIndex: Int = code(1, "bad index", "the table of pages has no such entry")
  val badSlot: Int = code(2, "bad slot", "there is no such slot for a key")
  val duplicatePage: Int = code(3, "duplicate page", "the page is mapped already")
  val noKey: Int = code(4, "no key", "the slot has no key")
  val badApplication: Int =
    code(5, "bad application", "the program was not sealed for this processor and this token, or its note is damaged")
  val badToken: Int = code(6, "bad token", "the token was not issued for this processor")
  val noToken: Int = code(7, "no token", "there is no token")
  val noProcessorSecret: Int = code(8, "no processor secret", "the processor has no secret in its fuses")
  val badPage: Int = code(9, "bad page", "there is no such page")
}
