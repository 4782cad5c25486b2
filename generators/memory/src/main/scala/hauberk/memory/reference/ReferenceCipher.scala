package hauberk.memory.reference

import hauberk.memory.reference.ReferenceKey.xor

/** How a block becomes ciphertext, in each mode. Blocks are as they lie in memory, AES blocks likewise. */
object ReferenceCipher {

  /** One-time pad, domain 1 (AEGIS section 6.3; Yang section 3): encrypts and decrypts. */
  def oneTimePad(key: ReferenceKey, engine: Int, block: BigInt, counter: BigInt, data: Array[Byte]): Array[Byte] =
    xor(data, Array.tabulate((data.length + 15) / 16)(key(1, engine, block, counter, _)).flatten.take(data.length))

  /** Cipher block chaining from an encrypted vector, domain 2 (AEGIS section 6.2). */
  def encryptCbc(key: ReferenceKey, engine: Int, block: BigInt, counter: BigInt, data: Array[Byte]): Array[Byte] =
    data.grouped(16).scanLeft(key(2, engine, block, counter, 0))((before, aesBlock) =>
      key.encrypt(xor(aesBlock, before))
    )
      .drop(1).flatten.toArray

  def decryptCbc(key: ReferenceKey, engine: Int, block: BigInt, counter: BigInt, data: Array[Byte]): Array[Byte] =
    xor(key.decrypt(data), key(2, engine, block, counter, 0) ++ data.dropRight(16))

  /** XTS: depends on the address only. The data unit's number is engine and block. */
  def encryptXts(key: ReferenceKey, engine: Int, block: BigInt, data: Array[Byte]): Array[Byte] =
    ReferenceXts.encrypt(key, key.tweakKey, (BigInt(engine) << 40) | block, data)

  def decryptXts(key: ReferenceKey, engine: Int, block: BigInt, data: Array[Byte]): Array[Byte] =
    ReferenceXts.decrypt(key, key.tweakKey, (BigInt(engine) << 40) | block, data)
}
