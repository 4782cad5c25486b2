package hauberk.tools

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel, ReferenceTag}
import hauberk.tools.Fixtures._
import java.nio.file.{Files => NioFiles}
import javax.crypto.Cipher
import javax.crypto.spec.{IvParameterSpec, SecretKeySpec}
import org.scalatest.funsuite.AnyFunSuite

class ProgramPackageSpec extends AnyFunSuite {
  private def make(description: ujson.Obj): ProgramPackage =
    ProgramPackage.make(soc(description), program(elf, soc(description)), keys)

  test("the plaintext is the loaded data at its place, zeros between, up to the end of the last block") {
    val plaintext = make(description()).plaintext
    assert(plaintext.base == base && plaintext.content.length == 0x2080)
    val expected = new Array[Byte](0x2080)
    for (segment <- elf.segments) segment.data.copyToArray(expected, (segment.address - 0x80000000L).toInt)
    assert(plaintext.content sameElements expected)
  }

  test("without protection the image is the plaintext, and there are no keys") {
    val made = make(description(engines = 0))
    assert(made.image.content sameElements made.plaintext.content)
    assert(made.keys.isEmpty)
  }

  test("every block decrypts by the reference model to the plaintext, under the static key") {
    for {
      (_, scheme) <- Scheme.all
      engines <- Seq(1, 2, 4)
    } {
      val made = make(description(scheme, engines))
      for (number <- 0 until made.image.content.length / 64) {
        val layout = MetadataLayout(dramBytes / engines, 64, scheme.shape)
        val model = new ReferenceModel(scheme.mode, layout, number % engines)
        val found = model.decrypt(
          ProtectionKeys(keys.static, Array.empty),
          number / engines,
          0,
          made.image.bytes(base + number * 64, 64)
        )
        assert(found sameElements made.plaintext.bytes(base + number * 64, 64))
      }
    }
  }

  test("what is in a region left in plaintext is shipped as it is, and is no secret of the package") {
    val region = DramRegion(Region(base + 0x1000, base + 0x2000), plain = true, context = 0)
    val second = DramRegion(Region(base + 0x2000, base + 0x3000), plain = false, context = 1)
    val json = description(engines = 2, regions = Seq(region, second))
    val made = make(json)
    val sealedAll = make(description(engines = 2))
    for (address <- base until made.image.end by 64) {
      val plain = region.region.contains(address, address + 64)
      val expected = if (plain) made.plaintext else sealedAll.image
      assert(made.image.bytes(address, 64) sameElements expected.bytes(address, 64), Hex(address))
    }
    assert(made.inTheClear == (region.region.start until region.region.end by 64) && sealedAll.inTheClear.isEmpty)
    inFolder { folder =>
      ProgramPackage.write(made, Fixtures.json(json), folder)
      val watched = NioFiles.readAllBytes(folder.resolve("plaintext.bin"))
      assert(watched.slice(0x1000, 0x2000).forall(_ == 0))
      assert(watched.take(0x1000) sameElements made.plaintext.content.take(0x1000))
      assert(ProgramPackage.read(folder).plaintext.content sameElements made.plaintext.content)
    }
  }

  test("one-time pad: the JDK's counter mode decrypts the image, without the reference model") {
    val made = make(description(engines = 2))
    for (number <- 0 until made.image.content.length / 64) {
      // Domain 1, engine, block within the bank, counter 0, AES block 0.
      val start = Array[Byte](1, (number % 2).toByte, 0, 0, 0, 0, (number / 2).toByte) ++ new Array[Byte](9)
      val cipher = Cipher.getInstance("AES/CTR/NoPadding")
      cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(keys.static, "AES"), new IvParameterSpec(start))
      assert(cipher.doFinal(made.image.bytes(base + number * 64, 64)) sameElements made.plaintext.bytes(
        base + number * 64,
        64
      ))
    }
  }

  test("every engine has as many blocks of the image, and zeros are put behind it where one would have fewer") {
    for (engines <- Seq(1, 2, 4)) {
      val made = make(description(engines = engines))
      assert(made.imageBlocks * engines * 64 == made.image.content.length)
      assert(made.plaintext.content.length == made.image.content.length)
      // The elf ends in block 130.
      assert(made.imageBlocks == (130 + engines - 1) / engines)
      assert(made.plaintext.content.drop(0x2080).forall(_ == 0))
    }
  }

  test("banks that take turns page by page: the image goes on until they have the same blocks") {
    val made = description(engines = 2)
    for ((bank, number) <- made("banks").arr.zipWithIndex) {
      bank("selectBits") = ujson.Arr(12)
      bank("select") = number << 12
    }
    // 0x2080 bytes are three pages, of which the first bank would have two.
    val packaged = make(made)
    assert(packaged.image.content.length == 0x4000 && packaged.imageBlocks == 128)
  }

  test("packages have a tag for every block of the image, at its place in DRAM, and none without integrity") {
    for {
      (_, scheme) <- Scheme.all
      engines <- Seq(1, 2, 4)
    } {
      val made = make(description(scheme, engines))
      assert(made.tags.isDefined == (scheme.integrity != "none"))
      for {
        tags <- made.tags
        number <- 0 until made.image.content.length / 64
      } {
        val layout = MetadataLayout(dramBytes / engines, 64, scheme.shape)
        val (engine, block) = (number % engines, number / engines)
        val data = if (scheme.overPlaintext) made.plaintext else made.image
        val pair = ProtectionKeys(keys.static, Array.empty)
        val tag = ReferenceTag.ofImage(pair, engine, block, made.imageBlocks, data.bytes(base + number * 64, 64))
        val local = layout.tagBase + 8 * block
        assert(tags.word(base + local / 64 * 64 * engines + engine * 64 + local % 64) == tag)
      }
    }
  }

  test("no word of the image is in the clear, the zeros between segments included") {
    for ((_, scheme) <- Scheme.all) {
      val made = make(description(scheme))
      assert((base until made.image.end by 8).forall(address =>
        made.image.word(address) != made.plaintext.word(address)
      ))
    }
  }

  test("a package is read back as it was written, and what is shipped does not hold the keys") {
    for ((scheme, engines) <- Seq((Scheme.otp, 0), (Scheme.otp, 2), (Scheme.bonsai, 2))) inFolder { folder =>
      val made = make(description(scheme, engines))
      ProgramPackage.write(made, json(description(scheme, engines)), folder)
      val back = ProgramPackage.read(folder)
      assert(
        back.soc == made.soc && back.program.entry == made.program.entry && back.program.results == made.program.results
      )
      assert(back.image.content.sameElements(made.image.content) && back.plaintext.content.sameElements(
        made.plaintext.content
      ))
      assert(back.keys.map(k => (Hex(k.static), Hex(k.device))) == made.keys.map(k => (Hex(k.static), Hex(k.device))))
      for ((a, b) <- back.program.segments.zip(made.program.segments)) {
        assert((a.index, a.address, a.memoryBytes, a.writable) == ((b.index, b.address, b.memoryBytes, b.writable)))
        assert(a.data sameElements b.data)
      }
      val header = ujson.read(NioFiles.readAllBytes(folder.resolve("header.json")))
      assert(header("config").str == "TestConfig" && header("entry").str == "0x80000010" && header(
        "dramBase"
      ).str == "0x80000000")
      assert(!header.render().contains(Hex(keys.static)) && !header.render().contains(Hex(keys.device)))
      if (engines == 0) assert(header("wrappedKey").isNull)
      else assert(header("wrappedKey").str == Hex(Keys.wrap(keys.device, keys.static)))
      assert(header("imageBlocks").num == (if (engines == 0) 0 else 65))
      assert(back.tags.map(tags => (tags.base, tags.content.toSeq)) == made.tags.map(t => (t.base, t.content.toSeq)))
      if (scheme.integrity == "none") assert(header("tags").isNull && header("tagsBase").isNull)
      else assert(header("tags").str == "tags.bin" && header("tagsBase").str == Hex(made.tags.get.base))
    }
  }

  test("a folder that is no package is refused") {
    inFolder { folder =>
      refused("no package")(ProgramPackage.read(folder.resolve("absent")))
      refused("vendor's part")(ProgramPackage.read(folder))
    }
  }
}
