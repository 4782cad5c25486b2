package hauberk.memory.common

/** The bank of memory one engine guards.
  *
  * @param localBytes size of the bank
  * @param beatBytes  width of the memory bus
  * @param blockBytes cache block size
  * @param idBits     width of a client's transaction identifier
  * @param engine     number of the engine; part of every AES input, so that engines under one key never share a pad
  */
case class Bank(localBytes: BigInt, beatBytes: Int = 8, blockBytes: Int = 64, idBits: Int = 4, engine: Int = 0)
