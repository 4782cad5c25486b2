package hauberk.memory.reference

import hauberk.memory.reference.ReferenceHash.{polynomial, words}

/** The tag of a block: 64 bits, a polynomial hash of its words under an AES pad for its place and counter. Tag 0 stands for none, so a tag
  * that comes out as 0 is 1.
  */
object ReferenceTag {

  /** The tag of a block that was written, domain 3.
    *
    * @param data ciphertext, or plaintext where integrity is over plaintext
    */
  def written(keys: ProtectionKeys, engine: Int, block: BigInt, counter: BigInt, data: Array[Byte]): Long =
    tag(keys.dynamicKey, 3, engine, block, counter, data)

  /** The tag of a block as the package brings it, domain 4.
    *
    * @param imageBlocks blocks of the package in this bank: a package that is told to be longer or shorter does not verify
    */
  def ofImage(keys: ProtectionKeys, engine: Int, block: BigInt, imageBlocks: BigInt, data: Array[Byte]): Long =
    tag(keys.staticKey, 4, engine, block, imageBlocks, data)

  private def tag(key: ReferenceKey, domain: Int, engine: Int, block: BigInt, counter: BigInt, data: Array[Byte]) =
    notZero(polynomial(words(data), key.hashFirst) ^ ReferenceKey.high64(key(domain, engine, block, counter, 0)))

  def notZero(tag: Long): Long = if (tag == 0) 1 else tag
}
