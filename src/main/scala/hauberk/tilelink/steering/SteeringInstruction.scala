package hauberk.tilelink.steering

import chisel3._
import chisel3.util._
import hauberk.memory.counter.CounterHint

/** The instructions that steer counters, all of opcode custom-0 (Nagarajan et al., section 3). They write no register.
  *
  * | bits | 31 | 30 to 24 | 23 to 20 | 19 to 15 | 14 to 12 | 11 to 7 | 6 to 0 |
  * |---|---|---|---|---|---|---|---|
  * | hint | 1 for a store, 0 for a load | id | offset, high | base register | 010 | offset, low | 0001011 |
  * | next | 0 | 0 | register | 0 | 000 | 0 | 0001011 |
  *
  * A hint stands before the load or store that it is of, whose address is `base + 4 * offset`; the offset has a sign. Next increments a counter register, whose number
  * is in bits 24 to 20.
  */
object SteeringInstruction {
  val offsetBits = 9
  val offsetUnit = 4
  private val lowBits = 5
  private val opcode = 0x0b

  /** The hint that an instruction is.
    *
    * @param instruction its 32 bits
    * @param base        value of its first register
    * @return a hint with a virtual address; the kind of one that does not exist if the instruction does not
    */
  def decode(instruction: UInt, base: UInt): SteeringHint = {
    val hint = Wire(new SteeringHint)
    val offset = Cat(instruction(23, 20), instruction(11, 7)).asSInt
    val isNext = instruction(14, 12) === 0.U && instruction(31, 25) === 0.U && instruction(
      19,
      15
    ) === 0.U && instruction(11, 7) === 0.U
    hint.kind := Mux(
      isNext,
      CounterHint.next.U,
      Mux(
        instruction(14, 12) === 2.U,
        Mux(instruction(31), CounterHint.store.U, CounterHint.load.U),
        CounterHint.none.U
      )
    )
    hint.address := (base.asSInt + (offset << log2Ceil(offsetUnit)).asSInt).asUInt
    hint.id := Mux(isNext, instruction(24, 20), instruction(30, 24))
    hint
  }

  /** Bits of a hint.
    *
    * @param base   number of the base register
    * @param offset in bytes
    */
  def hint(store: Boolean, id: Int, base: Int, offset: Int): BigInt = {
    val units = offset / offsetUnit
    val limit = 1 << (offsetBits - 1)
    require(
      offset % offsetUnit == 0 && units >= -limit && units < limit,
      s"a hint cannot have the offset $offset: use a multiple of $offsetUnit from ${-limit * offsetUnit} to ${(limit - 1) * offsetUnit}"
    )
    val field = units & ((1 << offsetBits) - 1)
    (BigInt(if (store) 1 else 0) << 31) | (BigInt(id) << 24) | (BigInt(field >> lowBits) << 20) | (BigInt(base) << 15) |
      (2 << 12) | ((field & ((1 << lowBits) - 1)) << 7) | opcode
  }

  /** Bits of the increment of a register. */
  def next(register: Int): BigInt = (BigInt(register) << 20) | opcode
}
