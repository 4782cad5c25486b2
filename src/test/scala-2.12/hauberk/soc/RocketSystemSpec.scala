package hauberk.soc

import freechips.rocketchip.diplomacy.RefusedDesign
import freechips.rocketchip.subsystem.{
  BroadcastKey,
  RocketTilesKey,
  WithExtMemSize,
  WithNBanks,
  WithNMemoryChannels,
  WithNoMemPort
}
import hauberk.bus._
import hauberk.config._
import hauberk.crypto.AesParams
import hauberk.memory.common.{MetadataCacheParams, RegionParams}
import hauberk.memory.counter.{SequenceNumberCache, SplitCounters, TimestampUpdate, Timestamps}
import hauberk.memory.integrity._
import hauberk.memory.region.BankRegion
import hauberk.memory.ProtectionParams
import hauberk.tilelink.common.Provisioning
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.instruction.InstructionDecryptionKey
import hauberk.tilelink.exports.TLRequestGates
import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryProtectorParams, MemoryRegion, ProtectorBoot}
import org.chipsalliance.cde.config.{Config, Field, Parameters}
import org.chipsalliance.diplomacy.lazymodule._
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import org.scalatest.flatspec.AnyFlatSpec

/** Checks of the system as Diplomacy negotiates it, without building its hardware. */
// covers: soc.configurations
class RocketSystemSpec extends AnyFlatSpec {
  private def system(config: Parameters): RocketSystem = {
    val lazySystem = LazyModule(new RocketSystem()(config))
    lazySystem
  }

  /** Why a system is refused. */
  private def refusal(config: Config): String = RefusedDesign.why {
    val refused = system(config)
    refused.dts
    refused.protector.foreach(_.banks)
  }

  /** The scheme of the configuration of that name, and why one is refused. */
  private def schemeOf(name: String) =
    system(KnownConfigs.find(name).right.get).protector.get.banks.head.protection.params
  private def refusalOf(name: String): String = refusal(KnownConfigs.find(name).right.get)

  /** A scheme as the stand-alone SoCs have it. */
  private def standalone(params: ProtectionParams) =
    params.copy(reads = 4, writes = 8, cipher = params.cipher.copy(gated = true), gated = true)

  /** Base and size of the device tree's memory node. */
  private def memory(config: Parameters): Seq[(Long, Long)] = {
    val node = "(?s)memory@[0-9a-f]+ \\{.*?reg = <([^>]*)>".r
    val cells =
      node.findFirstMatchIn(system(config).dts).get.group(1).split(" ").map(cell => java.lang.Long.decode(cell).toLong)
    cells.toSeq.grouped(2).map { case Seq(base, size) => (base, size) }.toList
  }

  private val base = 0x80000000L

  "the device tree" should "show all of DRAM when nothing is protected" in {
    assert(memory(new BaselineRocketConfig) == Seq((base, 16L << 20)))
  }

  // A block of 64 bytes has a counter of 4: of 16 MiB, one goes to counters.
  for ((name, config) <- Seq("one bank" -> new AegisOtpRocketConfig, "two banks" -> new AegisOtpQuadRocketConfig)) {
    it should s"leave out the metadata, and pages that are not whole, with $name" in assert(memory(config) == Seq((
      base,
      14L << 20
    )))
  }

  it should "have a node for the protector, with registers and an interrupt" in {
    val node = "(?s)memory-protector@10010000 \\{(.*?)\\}".r
    val properties = node.findFirstMatchIn(system(new AegisOtpRocketConfig).dts).get.group(1)
    assert(properties.contains("compatible = \"hauberk,memory-protector\""))
    assert(properties.contains("reg = <0x10010000 0x1000>"))
    assert(properties.contains("interrupts = "))
    assert(!system(new BaselineRocketConfig).dts.contains("memory-protector"))
  }

  it should "have a DMA master where a fragment brings one, and only there" in {
    def masters(name: String) =
      system(KnownConfigs.find(name).right.get).getChildren.collect { case dma: TestDma => dma }.size
    assert(masters("WithTestDma_BaselineRocketConfig") == 1 && masters("BaselineRocketConfig") == 0)
    assert(system(KnownConfigs.find("WithTestDma_BaselineRocketConfig").right.get).dts.contains("test-dma@100a0000"))
    assert(!system(new BaselineRocketConfig).dts.contains("test-dma"))
  }

  "the description" should "agree with the layout of the metadata" in {
    val lazySystem = system(new AegisOtpQuadRocketConfig)
    val description = SystemDescription(lazySystem).memory
    assert(description.dataBytes == (15 << 20) && description.engines == 2 && description.isProtected)
    assert(SystemDescription(system(new BaselineRocketConfig)).memory.dataBytes == (16 << 20))
  }

  "a configuration" should "take the parameters of a study from its name" in {
    val name = "WithCipherLatency-40_WithCounterCache-65536-0_WithL1Kib-64_AegisOtpRocketConfig"
    val lazySystem = system(KnownConfigs.find(name).right.get)
    val scheme = lazySystem.protector.get.banks.head.protection.params
    assert(scheme.cipher.latency == 40)
    assert(scheme.counters == Timestamps(cache = MetadataCacheParams(lines = 1024, ways = 1024)))
    val tile = lazySystem.p(RocketTilesKey).head
    assert(tile.icache.get.nWays * tile.icache.get.nSets * 64 == (64 << 10))
    assert(tile.dcache.get.nWays * tile.dcache.get.nSets * 64 == (64 << 10))
    assert(tile.dcache.get.acquireBeforeRelease)
    val waits = system(KnownConfigs.find("WithoutWriteBuffer_AegisOtpRocketConfig").right.get)
    assert(!waits.p(RocketTilesKey).head.dcache.get.acquireBeforeRelease)
  }

  it should "have the timestamp cache and the AES of AEGIS's table 2 where its name says so" in {
    val paper = schemeOf("AegisTable2RocketConfig")
    assert(paper.counters == Timestamps(cache = MetadataCacheParams(lines = 32, ways = 4)))
    assert(paper.cipher.latency == 40)
    val preset = schemeOf("AegisOtpRocketConfig")
    assert(paper.copy(counters = preset.counters, cipher = preset.cipher) == preset)
  }

  it should "take the sizes of every cache of metadata from its name" in {
    val sizes = "WithCounterCache-4096-4_WithTagCache-2048-0_WithNodeCache-1024-2"
    def cache(lines: Int, ways: Int) = MetadataCacheParams(lines, ways)
    val bonsai = schemeOf(s"${sizes}_BonsaiTreeRocketConfig")
    assert(bonsai.counters == SplitCounters(cache(64, 4)))
    assert(bonsai.integrity == BonsaiTree(tags = cache(32, 32), nodes = cache(16, 2)))
    assert(schemeOf(s"${sizes}_AegisHashTreeRocketConfig").integrity == HashTree(
      tags = cache(32, 32),
      nodes = cache(16, 2)
    ))
    assert(schemeOf("WithTagCache-2048-0_AegisLogHashRocketConfig").integrity == LogHash(versions = cache(32, 32)))
    assert(schemeOf("WithTagCache-2048-0_BlockMacRocketConfig").integrity == BlockMac(cache(32, 32)))
    val numbers = schemeOf("WithCounterCache-4096-0_YangSncLruRocketConfig").counters
    assert(numbers == SequenceNumberCache(bytes = 4096, ways = 64))
  }

  it should "have as many transactions in flight as its name says, or as the SoC has" in {
    def inFlight(name: String) = (schemeOf(name).reads, schemeOf(name).writes)
    val cores = 4
    val trackers = system(new AegisOtpQuadRocketConfig).p(BroadcastKey).nTrackers
    assert(inFlight("AegisOtpQuadRocketConfig") == ((trackers, trackers + cores)))
    assert(inFlight("WithTransactions-3-5_AegisOtpRocketConfig") == ((3, 5)))
    assert(schemeOf("WithPostedWrites_BonsaiTreeRocketConfig").postedWrites && !schemeOf(
      "BonsaiTreeRocketConfig"
    ).postedWrites)
    assert(refusalOf("WithPostedWrites_BaselineRocketConfig").startsWith("WithPostedWrites changes a memory protector"))
    assert(refusalOf("WithTransactions-0-5_AegisOtpRocketConfig").contains("reads (0)"))
    assert(refusalOf("WithTransactions-1-5_WithRekeying-100_AegisOtpRocketConfig").contains("must both be at least 2"))
  }

  it should "take regions from its name, of which the device tree and the layout of DRAM know nothing" in {
    val regions = "WithPlaintextRegion-0x80400000-65536_WithContextRegion-2152726528-0x8000"
    for ((banks, name) <- Seq(1 -> "YangSncLruRocketConfig", 2 -> "AegisOtpQuadRocketConfig")) {
      val plain = KnownConfigs.find(name).right.get
      val config = KnownConfigs.find(s"${regions}_$name").right.get
      val description = SystemDescription(system(config))
      assert(description.memory.regions == Seq(
        MemoryRegion.plaintext(0x80400000L, 65536),
        MemoryRegion.ofContext(0x80400000L + (1 << 20), 0x8000)
      ))
      assert(description.memory.banks.size == banks)
      for (bank <- description.memory.banks) {
        assert(bank.protection.params.regions == RegionParams(entries = 2, contexts = 2))
        assert(bank.regions == Seq(
          BankRegion(1024 / banks, 1024 / banks + 16 / banks - 1, plain = true, 0),
          BankRegion(1280 / banks, 1280 / banks + 8 / banks - 1, plain = false, 1)
        ))
      }
      assert(memory(config) == memory(plain))
      val json = description.toJson("name")
      assert(json("regions")(0) == ujson.Obj(
        "base" -> 0x80400000L.toDouble,
        "bytes" -> 65536,
        "plain" -> true,
        "context" -> 0
      ))
      assert(json("regions")(1)("context").num == 1 && !json("regions")(1)("plain").bool)
      assert(!SystemDescription(system(plain)).toJson("name").value.contains("regions"))
    }
  }

  it should "be refused with regions that cannot be" in {
    assert(refusalOf("WithPlaintextRegion-0x80000000-100_AegisOtpRocketConfig").contains("splits a granule"))
    assert(
      refusalOf("WithPlaintextRegion-0x80001000-8192_AegisOtpQuadRocketConfig").contains("multiples of 8192 bytes")
    )
    assert(refusalOf("WithPlaintextRegion-0x80f00000-4096_AegisOtpRocketConfig").contains("not in protected memory"))
    assert(refusalOf("WithPlaintextRegion-0x10000000-4096_AegisOtpRocketConfig").contains("not in protected memory"))
    assert(refusalOf("WithPlaintextRegion-0x80000000-4096_BonsaiTreeRocketConfig").contains("would not cover regions"))
    assert(refusalOf("WithContextRegion-0x80000000-4096_XtsRocketConfig").contains("leave WithContextRegion out"))
    val twice = "WithContextRegion-0x80000000-8192_WithPlaintextRegion-0x80001000-4096_AegisOtpRocketConfig"
    assert(refusalOf(twice).contains("overlap"))
  }

  it should "take the width of timestamps, and the reserve at which memory is re-encrypted, from its name" in {
    val cache = MetadataCacheParams(lines = 256, ways = 8)
    val timer = Timestamps(timestampBits = 13, cache = cache, reserve = Some(BigInt(4096)))
    for (name <- Seq("AegisOtp", "AegisHashTree", "Xom")) {
      val rekeyed = schemeOf(s"WithTimestampBits-13_WithRekeying-4096_${name}RocketConfig")
      assert(rekeyed == standalone(ProtectionParams.presets(name)).copy(counters = timer))
    }
    assert(schemeOf("WithRekeying-4096_WithTimestampBits-13_AegisOtpDualRocketConfig").counters == timer)
    val cached = schemeOf("WithRekeying-0x1000_WithCounterCache-4096-0_AegisOtpRocketConfig").counters
    assert(cached == Timestamps(cache = MetadataCacheParams(lines = 64, ways = 64), reserve = Some(BigInt(4096))))
    assert(schemeOf("WithTimestampBits-8_AegisLogHashRocketConfig").counters == Timestamps(
      timestampBits = 8,
      cache = cache
    ))
  }

  it should "take timestamps per address, or mixed, from its name, with the counter tree they need" in {
    import ProtectionParams._
    for (
      (name, update) <- Seq(
        "WithPerAddressTimestamps" -> TimestampUpdate.PerAddress,
        "WithMixedTimestamps" -> TimestampUpdate.Mixed
      )
    ) {
      val cache = MetadataCacheParams(lines = 256, ways = 8)
      val timer = Timestamps(timestampBits = 28, cache = cache, update = update)
      val padsAlone = schemeOf(s"${name}_AegisOtpRocketConfig")
      assert(padsAlone == standalone(aegisOtp).copy(counters = timer, integrity = BonsaiTree(tags = cache)))
      val otp = padsAlone.copy(cipher = standalone(blockMac).cipher)
      assert(schemeOf(s"${name}_XomRocketConfig") == otp.copy(mode = xom.mode))
      // Whatever caches and whichever verification were there stay
      val tags = BonsaiTree(tags = MetadataCacheParams(lines = 32, ways = 2))
      assert(schemeOf(s"${name}_WithTagCache-2048-2_BlockMacRocketConfig") == otp.copy(integrity = tags))
      val speculative = otp.copy(verification = Verification.Speculative)
      assert(schemeOf(s"${name}_BonsaiTreeRocketConfig") == speculative)
      assert(schemeOf(s"${name}_BonsaiTreeBlockingRocketConfig") == otp)
      val sized = schemeOf(s"WithTimestampBits-20_${name}_WithCounterCache-4096-2_BonsaiTreeRocketConfig")
      val small = MetadataCacheParams(lines = 64, ways = 2)
      assert(sized == speculative.copy(counters = timer.copy(timestampBits = 20, cache = small)))
      assert(schemeOf(s"${name}_WithTimestampBits-20_AegisOtpRocketConfig").counters.counterBits == 20)
    }
    // A timestamp of 28 bits in the room of one of 32, with tags and nodes above
    val description = SystemDescription(system(KnownConfigs.find("WithMixedTimestamps_AegisOtpRocketConfig").right.get))
    val json = description.toJson("name")
    assert(json("counterFormat").str == "per-address" && json("metadata")("tree").str == "counters")
  }

  it should "be refused with timestamps that cannot be" in {
    def named(name: String) = refusalOf(s"${name}RocketConfig")
    for (
      (name, out) <- Seq(
        "WithTimestampBits-16_BonsaiTree" -> "WithTimestampBits",
        "WithRekeying-100_BonsaiTree" -> "WithRekeying",
        "WithRekeying-100_BlockMac" -> "WithRekeying",
        "WithRekeying-100_AegisLogHash" -> "WithRekeying",
        "WithRekeying-100_YangSncLru" -> "WithRekeying",
        "WithRekeying-100_WithMixedTimestamps_AegisOtp" -> "WithRekeying",
        "WithMixedTimestamps_AegisHashTree" -> "WithMixedTimestamps",
        "WithPerAddressTimestamps_AegisLogHash" -> "WithPerAddressTimestamps",
        "WithPerAddressTimestamps_Xts" -> "WithPerAddressTimestamps",
        "WithMixedTimestamps_YangSncLru" -> "WithMixedTimestamps"
      )
    ) assert(named(name).endsWith(s": leave $out out"), name)
    val both = named("WithPerAddressTimestamps_WithRekeying-100_AegisOtp")
    assert(both.contains("under the key that WithRekeying would replace: leave one of the two out"))
    assert(named("WithTimestampBits-13_WithRekeying-8190_AegisOtp").contains("reserve of 8190 is not some of the 8191"))
    assert(named("WithRekeying-0_AegisOtp").contains("reserve of 0"))
    assert(named("WithTimestampBits-1_AegisOtp").contains("2 to 64 bits"))
    assert(named("WithTimestampBits-29_WithMixedTimestamps_AegisOtp").contains("at most 28 bits"))
    assert(named("WithMixedTimestamps_WithTimestampBits-29_AegisOtp").contains("at most 28 bits"))
    val plain = "WithPlaintextRegion-0x80400000-4096_WithRekeying-100_AegisOtp"
    assert(named(plain).contains("use no regions, or counters that never re-encrypt"))
  }

  it should "take no other parameters" in {
    assert(refusalOf("WithL1Kib-48_BaselineRocketConfig").contains("power-of-two"))
    assert(refusalOf("WithCounterCache-100-1_AegisOtpRocketConfig").contains("100 bytes"))
    assert(refusalOf("WithCounterCache-4096-4_XtsRocketConfig").contains("leave WithCounterCache out"))
    assert(refusalOf("WithTagCache-4096-4_AegisOtpRocketConfig").contains("leave WithTagCache out"))
    assert(refusalOf("WithNodeCache-4096-4_BlockMacRocketConfig").contains("leave WithNodeCache out"))
    assert(refusalOf("WithCipherLatency-5_XomRocketConfig").contains("latency of 5"))
  }

  it should "be refused with everything that is wrong with it at once" in {
    val many =
      refusalOf("WithTimestampBits-12_WithRekeying-100_WithTagCache-100-1_WithCipherLatency-5_BonsaiTreeRocketConfig")
    for (part <- Seq("leave WithTimestampBits out", "leave WithRekeying out", "100 bytes", "latency of 5"))
      assert(many.contains(part))
    assert(many.split("\n").length == 4)
  }

  it should "be refused with what is wrong with each of its parts at once" in {
    val many = refusal(new Config(
      new WithTestKeys(1) ++ new WithBusMasks(17) ++ new WithTilePads ++ new WithEmuPages(0) ++ new WithNBanks(
        0
      ) ++ new WithNoMemPort ++
        new WithBonsaiTree ++ new WithSenss ++ new BaselineRocketConfig
    ))
    val parts = Seq(
      "boots from packages",
      "no external memory",
      "at least one bank",
      "would do it again",
      "no memory port",
      "verifies before use, such as WithBonsaiTreeBlocking",
      "17 masks",
      "need the key of a package",
      "WithEmuPages changes an instruction decryption"
    )
    for (part <- parts) assert(many.split("\n").count(_.contains(part)) == 1, part)
    assert(many.split("\n").length == parts.size, many)
  }

  it should "be refused when what a fragment brings is taken away again" in {
    def without[T](key: Field[Option[T]]) = new Config((_, _, _) => { case `key` => None })
    for (
      (taken, name, what) <- Seq(
        (without(MemoryProtectionKey), "AegisOtpRocketConfig", "the memory protector that WithMemoryProtection brings"),
        (without(SecureBusKey), "SenssDualRocketConfig", "the secure bus that WithSecureBus brings"),
        (
          without(InstructionDecryptionKey),
          "WithEmuCounter_BaselineRocketConfig",
          "that WithInstructionDecryption brings"
        )
      )
    ) assert(refusal(new Config(taken ++ KnownConfigs.find(name).right.get)).contains(what))
  }

  it should "be refused when a fragment has nothing to change" in {
    for (
      (fragment, what) <- Seq(
        "WithTimestampBits-12" -> "a memory protector",
        "WithPlaintextRegion-0x80000000-4096" -> "a memory protector",
        "WithBusMasks-3" -> "a secure bus",
        "WithEmuPages-3" -> "an instruction decryption"
      )
    ) {
      val name = fragment.takeWhile(_ != '-')
      assert(refusalOf(s"${fragment}_BaselineRocketConfig").startsWith(s"$name changes $what, and there is none"))
    }
    for (name <- Seq("WithTestKeys-1", "WithChipPins"))
      assert(refusalOf(s"${name}_BaselineRocketConfig").contains("brings keys, and there is nothing to its right"))
    // What brings it must stand right of the fragment
    val reversed = "WithBlockMac_WithTimestampBits-12_BaselineRocketConfig"
    assert(
      refusalOf(reversed).startsWith("WithTimestampBits changes a memory protector, and there is none to its right")
    )
    assert(refusalOf("WithBusMasks-3_SharedBusDualRocketConfig").contains("a bus in the clear has none"))
  }

  "every preset" should "have a configuration for one core and for two, whose memory ends at the last whole page before its metadata" in {
    for ((name, params) <- ProtectionParams.presets) {
      val config = KnownConfigs.find(s"${name}RocketConfig").right.get
      val lazySystem = system(config)
      val bank = SystemDescription(lazySystem).memory.banks.head
      assert(bank.protection.params == standalone(params))
      assert(memory(config).map(_._2).sum == (bank.protection.layout.dataBytes.toLong >> 21 << 21))
      val gates = lazySystem.getChildren.collect { case gates: TLRequestGates => gates.tiles }
      assert(gates == (if (params.verification.blocks) Nil else Seq(1)))
      val dual = system(KnownConfigs.find(s"${name}DualRocketConfig").right.get)
      assert(dual.tiles.size == 2 && SystemDescription(dual).memory.banks.head.protection.params == standalone(params))
    }
  }

  "a shared bus" should "be between the tiles and the system bus where a configuration says so, with the parameters of its name" in {
    for ((cores, config) <- Seq(2 -> new SenssDualRocketConfig, 4 -> new SenssAegisOtpQuadRocketConfig)) {
      val lazySystem = system(config)
      val bus = lazySystem.secureBus.get.busParams
      assert(bus.members == cores + 1 && bus.lineBytes == 64 && bus.sharedBus == SharedBusParams.paper)
      assert(bus.security.contains(BusSecurityParams()))
      assert(lazySystem.dts.contains("secure-bus@10030000"))
      val json = SystemDescription(lazySystem).toJson("name")("bus")
      assert(json("members").num == cores + 1 && json("ratio").num == 10 && json("widthBits").num == 256)
      assert(json("secured").bool && json("masks").num == 8 && json("interval").num == 100)
    }
    assert(system(new SharedBusQuadRocketConfig).secureBus.get.busParams.security.isEmpty)
    assert(system(new BaselineDualRocketConfig).secureBus.isEmpty)
    val name = "WithSenderMasks_WithCommandAuthentication_WithBusGroups-2_WithBusMasks-3_WithBusInterval-4294967295_" +
      "WithBusCipherLatency-40_WithSharedBus-4-128_SenssDualRocketConfig"
    val bus = system(KnownConfigs.find(name).right.get).secureBus.get.busParams
    assert(bus.sharedBus == SharedBusParams(4, 128))
    assert(bus.security.contains(BusSecurityParams(
      masks = 3,
      interval = 4294967295L,
      aesLatency = 40,
      groups = 2,
      maskSource = BusMasks.PerSender,
      authenticateCommands = true
    )))
    val ghash = system(KnownConfigs.find("WithGhash_SenssDualRocketConfig").right.get).secureBus.get.busParams
    assert(ghash.secure.mac == BusMac.Ghash)
  }

  it should "be refused where it cannot be" in {
    def named(name: String): String = {
      val config = KnownConfigs.find(s"${name}_SenssDualRocketConfig").right.get
      RefusedDesign.why(system(config).secureBus.get.busParams)
    }
    assert(named("WithBusInterval-0").contains("interval of 0"))
    assert(named("WithBusMasks-17").contains("17 masks"))
    assert(named("WithSharedBus-0-128").contains("ratio of 1 to 64"))
    assert(named("WithSharedBus-10-1024").contains("lines of 64 bytes"))
    assert(named("WithGhash_WithSharedBus-1-128").contains("use the CBC-MAC"))
    assert(named("WithBusCipherLatency-5").contains("latency of 5"))
  }

  it should "be refused over memory that is verified after use, and taken over other memory" in {
    for (scheme <- Seq("AegisHashTree", "AegisLogHash", "BonsaiTree", "WithMixedTimestamps_BonsaiTree"))
      for (bus <- Seq("WithSenss", "WithBusInTheClear_WithSenss")) {
        val name = s"${bus}_${scheme}DualRocketConfig"
        assert(refusalOf(name).contains("over wires beside the secure bus"), name)
      }
    assert(refusalOf("WithBonsaiTree_SenssDualRocketConfig").contains("use a scheme that verifies before use"))
    for (scheme <- Seq("BonsaiTreeBlocking", "BlockMac", "AegisOtp"))
      assert(system(KnownConfigs.find(s"WithSenss_${scheme}DualRocketConfig").right.get).secureBus.nonEmpty, scheme)
  }

  "a system" should "be refused with one sentence when its protection is impossible" in {
    def protect(params: MemoryProtectorParams, rest: Config = new BaselineRocketConfig) =
      new Config(new WithMemoryProtection(params) ++ rest)
    val default = MemoryProtectorParams()

    assert(refusal(protect(default.copy(region = Some((BigInt(0x10000000), BigInt(0x1000)))))).contains("is not DRAM"))
    val half = default.copy(protection = ProtectionParams.bonsaiTree, region = Some((MemoryMap.dram, BigInt(8 << 20))))
    assert(refusal(protect(half)).contains("not protected as a whole"))
    assert(refusal(protect(
      default,
      new Config(new WithNBanks(0) ++ new BaselineRocketConfig)
    )).contains("no coherence manager"))
    assert(refusal(protect(
      default,
      new Config(new WithNoMemPort ++ new BaselineRocketConfig)
    )).contains("no external memory"))
    assert(refusal(protect(
      default,
      new Config(new WithNMemoryChannels(0) ++ new BaselineRocketConfig)
    )).contains("at least one channel"))
    assert(refusal(protect(
      default,
      new Config(new WithExtMemSize(1 << 10) ++ new BaselineRocketConfig)
    )).contains("laid out"))
    val wideKey = ProtectionParams.aegisOtp.copy(cipher = AesParams(keyBits = 256))
    assert(refusal(protect(MemoryProtectorParams(wideKey))).contains("256 bits"))
  }

  it should "be refused when a fragment left of the protection replaced what it wraps" in {
    val unprotected = new Config(new freechips.rocketchip.subsystem.WithIncoherentTiles ++ new AegisOtpRocketConfig)
    assert(refusal(unprotected).contains("put WithMemoryProtection to the left"))
    val uncached = new Config(
      new freechips.rocketchip.subsystem.WithIncoherentTiles ++ new WithLastLevelCache(64) ++ new BaselineRocketConfig
    )
    assert(refusal(uncached).contains("put WithLastLevelCache to the left"))
  }

  it should "be refused with two memory protectors, or two last-level caches" in {
    assert(refusal(new Config(new WithXts ++ new AegisOtpRocketConfig)).contains("a memory protector behind another"))
    val twice = new Config(new WithLastLevelCache(64) ++ new WithLastLevelCache(64) ++ new BaselineRocketConfig)
    assert(refusal(twice).contains("a last-level cache behind another"))
  }

  it should "have its last-level cache before its protector, in whichever order the fragments stand" in {
    for (
      name <-
        Seq("WithLastLevelCache-64_AegisOtpRocketConfig", "WithAegisOtp_WithLastLevelCache-64_BaselineRocketConfig")
    ) {
      val made = system(KnownConfigs.find(name).right.get)
      val above = made.lastLevelCache.get.node.edges.out.map(_.manager.managers)
      val below = made.protector.get.node.edges.in.map(_.manager.managers)
      assert(above == below, name)
      val json = SystemDescription(made).toJson("name")
      assert(json("lastLevelCache")("bytes").num == 65536 && json("protected").bool)
    }
    assert(!SystemDescription(system(new BaselineRocketConfig)).toJson("name").value.contains("lastLevelCache"))
  }

  it should "be refused with a last-level cache that cannot be" in {
    assert(
      refusalOf("WithLastLevelCache-96_BaselineRocketConfig").contains("98304 bytes, which must be a power of two")
    )
    assert(refusalOf("WithLastLevelWays-3_WithLastLevelCache-64_BaselineRocketConfig").contains("3 ways"))
    assert(refusalOf("WithLastLevelMshrs-0_WithLastLevelCache-64_BaselineRocketConfig").contains("0 misses"))
    assert(
      refusalOf("WithLastLevelWays-4_BaselineRocketConfig").contains("WithLastLevelWays changes a last-level cache")
    )
    val small = new Config(new WithLastLevelCache(1) ++ new WithNBanks(4) ++ new BaselineRocketConfig)
    assert(refusal(small).contains("number of banks"))
    assert(refusalOf("WithLastLevelCache-32768_BaselineRocketConfig").contains("larger than DRAM"))
    val below = MemoryProtectorParams(region = Some((MemoryMap.dram, BigInt(8 << 20))))
    val gap = new Config(new WithLastLevelCache(64) ++ new WithMemoryProtection(below) ++ new BaselineRocketConfig)
    assert(refusal(gap).contains("end where DRAM ends"))
    val nowhere = new Config(new WithLastLevelCache(64) ++ new WithNBanks(0) ++ new BaselineRocketConfig)
    assert(refusal(nowhere).contains("no coherence manager"))
    val nothing = new Config(new WithLastLevelCache(64) ++ new WithNoMemPort ++ new BaselineRocketConfig)
    assert(refusal(nothing).contains("no external memory for the last-level cache"))
  }

  it should "be refused when its secrets do not fit how it boots" in {
    for (secrets <- Seq("WithTestKeys-1", "WithChipPins")) {
      def named(name: String) = KnownConfigs.find(s"${secrets}_$name").right.get
      assert(refusal(named("AegisOtpRocketConfig")).contains("boots from packages"), secrets)
      assert(refusal(named("SenssDualRocketConfig")).contains("boots from packages"), secrets)
      assert(refusal(named("SenssUpdatePadsDualRocketConfig")).contains("need the key of a package"), secrets)
    }
    val fromPackage = intercept[IllegalArgumentException](
      MemoryProtectorParams(secrets = Provisioning.TestKeys(1))
    )
    assert(fromPackage.getMessage.contains("bring the secrets by pins"))
    for (boot <- Seq("WithPackageBoot_WithChipPins", "WithChipPins_WithPackageBoot")) {
      val config = KnownConfigs.find(s"${boot}_AegisOtpRocketConfig").right.get
      assert(config(MemoryProtectionKey).get.boot == ProtectorBoot.PackageArm, boot)
      assert(refusal(config).contains("boots from packages"), boot)
    }
    for (boot <- Seq("WithPackageBoot_WithTestKeys-1", "WithTestKeys-1_WithPackageBoot"))
      assert(refusalOf(s"${boot}_AegisOtpRocketConfig").contains("bring the secrets by pins"), boot)
    assert(refusalOf("WithPackageBoot_BaselineRocketConfig").contains("changes a memory protector"))
  }

  "the device key of test keys" should "be the one in the docs" in {
    val page = new String(Files.readAllBytes(Paths.get("docs/chipyard.md")), UTF_8)
    assert(page.contains(f"--device-key ${Provisioning.TestKeys(1).key(0)}%032x"))
  }

  "configurations" should "be found by name, package and composition, and unknown ones be answered with the known" in {
    assert(KnownConfigs.names.contains("AegisOtpQuadRocketConfig"))
    assert(KnownConfigs.find("hauberk.config.BaselineRocketConfig").isRight)
    assert(KnownConfigs.find("WithXom_BaselineDualRocketConfig").isRight)
    val answer = KnownConfigs.find("WithXom_NoSuchConfig").left.get
    for (
      wrong <- Seq(
        "WithL1Kib",
        "WithL1Kib-a",
        "WithL1Kib-0x",
        "WithL1Kib-0xg",
        "WithL1Kib-64-2",
        "WithXom-1",
        "WithCipherLatency-99999999999",
        "-1",
        ""
      )
    )
      assert(KnownConfigs.find(s"${wrong}_BaselineRocketConfig").isLeft, wrong)
    assert(answer.contains("NoSuchConfig") && KnownConfigs.names.forall(answer.contains(_)))
  }

  it should "be refused without cores, and fragments with numbers they do not take" in {
    def refused(name: String) = KnownConfigs.find(name).left.get
    assert(
      refused("WithXom") == "WithXom has no cores: end it with a configuration, as in WithXom_BaselineRocketConfig"
    )
    for (wrong <- Seq("WithRekeying", "WithRekeying-1-2", "WithRekeying-x"))
      assert(refused(
        s"${wrong}_AegisOtpRocketConfig"
      ).endsWith("takes one whole number, decimal or with 0x: write WithRekeying-N"))
    assert(refused(
      "WithCounterCache-1_AegisOtpRocketConfig"
    ).endsWith("takes 2 whole numbers, decimal or with 0x: write WithCounterCache-N-N"))
    assert(refused("WithXom-1_BaselineRocketConfig").endsWith("takes no numbers: write WithXom"))
  }

  it should "be there for every point of the papers' studies" in {
    val plan = new String(Files.readAllBytes(Paths.get("bench/plans/papers.yml")), "UTF-8")
    val names = "(?:config|baseline): ([\\w-]+)".r.findAllMatchIn(plan).map(_.group(1)).toSeq
    assert(names.size > 100)
    for (name <- names.distinct) {
      val config = KnownConfigs.find(name)
      assert(config.isRight, name)
      assert(system(config.right.get).protector.forall(_.banks.nonEmpty), name)
    }
  }
}
