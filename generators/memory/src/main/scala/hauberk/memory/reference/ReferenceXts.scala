package hauberk.memory.reference

/** XTS-AES of IEEE 1619 for data units of whole AES blocks. */
object ReferenceXts {

  /** @param key   encrypts the data (Key1)
    * @param tweak encrypts the data unit's number (Key2)
    * @param unit  the data unit's number
    */
  def encrypt(key: ReferenceKey, tweak: ReferenceKey, unit: BigInt, data: Array[Byte]): Array[Byte] =
    whitened(tweak, unit, data)(key.encrypt)

  def decrypt(key: ReferenceKey, tweak: ReferenceKey, unit: BigInt, data: Array[Byte]): Array[Byte] =
    whitened(tweak, unit, data)(key.decrypt)

  private def whitened(tweak: ReferenceKey, unit: BigInt, data: Array[Byte])(cipher: Array[Byte] => Array[Byte]) = {
    require(data.length % 16 == 0, s"a data unit of ${data.length} bytes does not consist of AES blocks")
    val first = tweak.encrypt(ReferenceKey.littleEndian(unit, 16))
    val mask = Iterator.iterate(first)(double).take(data.length / 16).flatten.toArray
    ReferenceKey.xor(cipher(ReferenceKey.xor(data, mask)), mask)
  }

  /** Times alpha in GF(2^128), the first byte being the least significant one. */
  private def double(tweak: Array[Byte]): Array[Byte] = {
    val shifted = ReferenceKey.number(tweak) << 1
    ReferenceKey.littleEndian(if (shifted.testBit(128)) shifted ^ 0x87 else shifted, 16)
  }
}
