package hauberk.bus

import chisel3._
import chisel3.util.Valid
import hauberk.crypto.KeyWrite
import hauberk.testing.Simulation

/** Commands and words of keys at a member's control port, or at its group table: each takes a cycle, and is answered by why it is refused. */
class GroupControl(
    simulation: Simulation,
    commands: Valid[GroupCommand],
    refusal: UInt,
    keyWrite: Valid[KeyWrite],
    keyRefusal: UInt
) {
  import simulation._

  def command(operation: Int, group: Int, members: Int = 0, interval: BigInt = 0): Int = {
    commands.bits.operation.poke(operation)
    commands.bits.group.poke(group)
    commands.bits.members.poke(members)
    commands.bits.interval.poke(interval)
    taken(commands, refusal)
  }
  def word(group: Int, word: Int, data: BigInt): Int = {
    keyWrite.bits.slot.poke(group)
    keyWrite.bits.word.poke(word)
    keyWrite.bits.data.poke(data)
    taken(keyWrite, keyRefusal)
  }
  private def taken(port: Valid[_ <: Data], refusal: UInt): Int = {
    port.valid.poke(true)
    val why = refusal.peek().toInt
    step()
    port.valid.poke(false)
    why
  }
}
