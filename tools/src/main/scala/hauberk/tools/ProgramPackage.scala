package hauberk.tools

import hauberk.memory.reference.ProtectionKeys
import java.nio.file.{Files => NioFiles, Path}

/** What a vendor makes of a program for one kind of SoC. The folder holds what is shipped, `image.bin` (DRAM from its start on) and
  * `header.json` (boot header), and `tags.bin` where there are tags; and what stays with the vendor: `vendor.json` (keys, and where what
  * lies) and `plaintext.bin`. Where a loader outside the chip brings the package, there are [[LoaderFiles]], too.
  *
  * The image covers DRAM from its start to the end of the loaded data, and on to where every engine has as many blocks of it; all of its
  * blocks, also those between segments, are encrypted as blocks never written (counter 0), but those of a region that is left in plaintext,
  * which `plaintext.bin` has as zeros, for whoever watches for plaintext with it. DRAM behind the image is left as it is: a program must clear what it expects to be zero.
  *
  * @param soc       the description of the SoC, as elaboration wrote it
  * @param plaintext the image before encryption
  * @param image     the image as it goes into DRAM; the plaintext itself where DRAM is not protected
  * @param tags      the lines of DRAM that hold the tags of the image's blocks, if they have any
  * @param keys      static and device key, if DRAM is protected
  */
case class ProgramPackage(
    soc: SocDescription,
    program: Program,
    plaintext: Dram,
    image: Dram,
    tags: Option[Dram],
    keys: Option[PackageKeys]
) {

  /** Blocks that are shipped in the clear, though DRAM is protected: in a region that is left in plaintext. */
  def inTheClear: Seq[BigInt] =
    soc.protection.toSeq.flatMap(p => (image.base until image.end by soc.blockBytes).filter(p.isPlain))

  /** Blocks that each engine has of the image. */
  def imageBlocks: BigInt =
    soc.protection.fold(BigInt(0))(_ => new ProtectedDram(soc, soc.protection.get).imageBlocks(image.end))
}

/** @param static what the image is encrypted under
  * @param device what the static key is wrapped under; in the SoC's fuses, in those of every tile where these encrypt for memory
  * @param bus    where they do, the key of their bus's first group, in its fuses
  */
case class PackageKeys(static: Array[Byte], device: Array[Byte], bus: Option[Array[Byte]] = None)

/** Makes packages: encrypted for an SoC with protected DRAM, else plain. */
object ProgramPackage {

  /** Packages a program. `keys` matter only to an SoC with protected DRAM. */
  def make(soc: SocDescription, program: Program, keys: PackageKeys): ProgramPackage = {
    val block = soc.blockBytes
    val end = program.segments.map(segment => segment.address + segment.data.length).max
    val wholeEnd = soc.dramBase + (end - soc.dramBase + block - 1) / block * block
    val engines = soc.protection.map(new ProtectedDram(soc, _))
    val imageEnd = engines.fold(wholeEnd)(_.evenEnd(wholeEnd))
    val plaintext = new Dram(soc.dramBase, new Array[Byte]((imageEnd - soc.dramBase).toInt))
    program.segments.foreach(segment => plaintext.put(segment.address, segment.data))
    engines match {
      case None => ProgramPackage(soc, program, plaintext, plaintext, None, None)
      case Some(dram) =>
        // Nothing is ever encrypted under the dynamic key outside the SoC.
        val (image, tags) = dram.shipped(plaintext, ProtectionKeys(keys.static, Array.empty))
        ProgramPackage(soc, program, plaintext, image, tags, Some(keys))
    }
  }

  /** @param description the SoC's description as it was read, to be kept for the checker */
  def write(made: ProgramPackage, description: JsonFile, folder: Path): Unit = {
    Files.write(folder.resolve("image.bin"), made.image.content)
    made.tags.foreach(tags => Files.write(folder.resolve(tagsFile), tags.content))
    Files.write(folder.resolve("plaintext.bin"), secrets(made).content)
    Files.writeText(folder.resolve("header.json"), header(made).render(indent = 2) + "\n")
    Files.writeText(folder.resolve("vendor.json"), vendor(made, description).render(indent = 2) + "\n")
    LoaderFiles.write(made, folder)
  }

  /** The plaintext but for what is shipped as plaintext. */
  private def secrets(made: ProgramPackage): Dram = {
    val secrets = new Dram(made.plaintext.base, made.plaintext.content.clone)
    made.inTheClear.foreach(address => secrets.put(address, new Array[Byte](made.soc.blockBytes)))
    secrets
  }

  private val tagsFile = "tags.bin"

  private def header(made: ProgramPackage) = ujson.Obj(
    "config" -> made.soc.config,
    "dramBase" -> Hex(made.soc.dramBase),
    "imageBytes" -> made.image.content.length,
    "imageBlocks" -> made.imageBlocks.toInt,
    "tags" -> orNull(made.tags.map(_ => tagsFile)),
    "tagsBase" -> orNull(made.tags.map(tags => Hex(tags.base))),
    "entry" -> Hex(made.program.entry),
    "wrappedKey" -> orNull(made.keys.map(keys => Hex(Keys.wrap(keys.device, keys.static))))
  )

  private def vendor(made: ProgramPackage, description: JsonFile) = ujson.Obj(
    "staticKey" -> orNull(made.keys.map(keys => Hex(keys.static))),
    "deviceKey" -> orNull(made.keys.map(keys => Hex(keys.device))),
    "busKey" -> orNull(made.keys.flatMap(_.bus).map(Hex(_))),
    "entry" -> Hex(made.program.entry),
    "segments" -> made.program.segments.map { segment =>
      ujson.Obj(
        "index" -> segment.index,
        "address" -> Hex(segment.address),
        "fileBytes" -> segment.data.length,
        "memoryBytes" -> segment.memoryBytes.toString,
        "writable" -> segment.writable
      )
    },
    "results" -> made.program.results.fold[ujson.Value](ujson.Null) { region =>
      ujson.Obj("start" -> Hex(region.start), "end" -> Hex(region.end))
    },
    "soc" -> ujson.Obj.from(description.value.value ++ Seq("config" -> ujson.Str(made.soc.config)))
  )

  private def orNull(text: Option[String]): ujson.Value = text.fold[ujson.Value](ujson.Null)(ujson.Str(_))

  /** Reads a package with the vendor's part of it. */
  def read(folder: Path): ProgramPackage = {
    UserError.unless(NioFiles.isDirectory(folder))(s"there is no package at $folder: hauberk-image pack makes one")
    val vendor = JsonFile.read(folder.resolve("vendor.json"), "vendor's part of the package")
    val soc = SocDescription.parse(vendor.child("soc"), folder.resolve("vendor.json").toString)
    val plaintext = new Dram(soc.dramBase, Files.read(folder.resolve("plaintext.bin"), "plaintext of the package"))
    val image = new Dram(soc.dramBase, Files.read(folder.resolve("image.bin"), "image of the package"))
    UserError.unless(plaintext.end == image.end)(s"the package $folder is damaged: make it again")
    for {
      protection <- soc.protection
      address <- image.base until image.end by soc.blockBytes if protection.isPlain(address)
    } plaintext.put(address, image.bytes(address, soc.blockBytes))
    val segments = vendor.children("segments").map { json =>
      val address = json.number("address")
      val count = json.int("fileBytes")
      UserError.unless(plaintext.contains(address, count))(s"the package $folder is damaged: make it again")
      Segment(
        json.int("index"),
        address,
        plaintext.bytes(address, count),
        json.number("memoryBytes"),
        json.flag("writable")
      )
    }
    val results =
      if (vendor.has("results"))
        Some(Region(vendor.child("results").number("start"), vendor.child("results").number("end")))
      else None
    val keys =
      if (soc.isProtected)
        Some(PackageKeys(
          vendor.bytes("staticKey", Keys.bytes),
          vendor.bytes("deviceKey", Keys.bytes),
          if (vendor.has("busKey")) Some(vendor.bytes("busKey", Keys.bytes)) else None
        ))
      else None
    val tags =
      if (soc.protection.exists(_.hasTags)) {
        val base = JsonFile.read(folder.resolve("header.json"), "boot header of the package").number("tagsBase")
        Some(new Dram(base, Files.read(folder.resolve(tagsFile), "tags of the package")))
      } else None
    ProgramPackage(soc, Program(vendor.number("entry"), segments, results), plaintext, image, tags, keys)
  }
}
