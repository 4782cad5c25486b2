package hauberk.tools

import hauberk.tools.Fixtures._
import org.scalatest.funsuite.AnyFunSuite

/** Which ELF files are taken, and with which sentence others are refused. */
class ProgramSpec extends AnyFunSuite {
  private val data = Region(base, base + 0xf000)
  private def parse(elf: TestElf) = Program.parse(elf.bytes, "test.riscv", data)

  test("segments, entry and results are those of the file") {
    val found = parse(elf)
    assert(found.entry == base + 0x10)
    assert(found.segments.map(_.address) == Seq(base, base + 0x1000, base + 0x2008))
    for ((segment, written) <- found.segments.zip(elf.segments)) assert(segment.data sameElements written.data)
    assert(found.segments.map(_.writable) == Seq(false, false, true))
    assert(found.segments.last.memoryBytes == 4096)
    assert(found.results.contains(Region(base + 0x2108, base + 0x211c)))
  }

  test("a program need not say where its results are; what is not loaded does not count") {
    val note = TestSegment(0, Array[Byte](1, 2, 3), kind = 4)
    val nothing = TestSegment(0, Array.empty)
    val found = parse(elf.copy(symbols = Nil, segments = elf.segments ++ Seq(note, nothing)))
    assert(found.results.isEmpty && found.segments.size == 3)
  }

  test("files that are not RV64 little-endian executables are refused") {
    refused("test.riscv", "32-bit", "RV64")(parse(elf.copy(is64 = false)))
    refused("test.riscv", "big-endian", "RV64")(parse(elf.copy(littleEndian = false)))
    refused("machine 62", "RISC-V")(parse(elf.copy(machine = 62)))
    refused("not a linked executable")(parse(elf.copy(kind = 1)))
    refused("not an ELF file")(Program.parse("#!/bin/sh\n".getBytes, "test.riscv", data))
    refused("not an ELF file")(Program.parse(Array.empty, "test.riscv", data))
  }

  test("a segment outside the data region is refused with the segment and the region") {
    val region = "data region (0x80000000 to 0x8000efff)"
    def withSegment(segment: TestSegment) = elf.copy(segments = elf.segments :+ segment)
    refused(
      "segment 3 (0x7fffffff to 0x80000002)",
      region
    )(parse(withSegment(TestSegment(0x7fffffffL, new Array[Byte](4)))))
    refused(
      "segment 3 (0x8000effd to 0x8000f000)",
      region
    )(parse(withSegment(TestSegment(0x8000effdL, new Array[Byte](4)))))
    refused("segment 3 (0xffffffff80000000 to 0xffffffff80000003)", region)(
      parse(withSegment(TestSegment(0xffffffff80000000L, new Array[Byte](4))))
    )
    // What a segment clears, rather than loads, must be in the region too.
    refused("segment 3 (0x8000e000 to 0x8000f7ff)", region)(
      parse(withSegment(TestSegment(0x8000e000L, new Array[Byte](4), memoryBytes = Some(0x1800))))
    )
    assert(parse(withSegment(TestSegment(0x8000effcL, new Array[Byte](4)))).segments.size == 4)
  }

  test("a program that cannot start is refused") {
    refused("loads nothing")(parse(elf.copy(segments = Nil)))
    refused("loads nothing")(parse(elf.copy(segments =
      Seq(TestSegment(0x80000000L, Array.empty, memoryBytes = Some(64)))
    )))
    refused("enters at 0x80000800")(parse(elf.copy(entry = 0x80000800L)))
    refused("enters at 0x0")(parse(elf.copy(entry = 0)))
  }

  test("results outside the data region, or none between their symbols, are refused") {
    def results(start: Long, end: Long) =
      elf.copy(symbols = Seq("hauberk_results" -> start, "hauberk_results_end" -> end))
    refused("results (0x8000efff to 0x8000f006)")(parse(results(0x8000efffL, 0x8000f007L)))
    refused("results")(parse(results(0x80000000L, 0x80000000L)))
  }

  test("a damaged file is refused") {
    val whole = elf.bytes
    for (length <- Seq(20, 64, 100, 400, whole.length - 100)) {
      refused("test.riscv is", "ELF file")(Program.parse(whole.take(length), "test.riscv", data))
    }
    val claims = elf.segments.updated(
      0,
      TestSegment(0x80000000L, new Array[Byte](16), memoryBytes = Some(4096), claimedBytes = Some(4096))
    )
    refused("damaged")(parse(elf.copy(segments = claims.take(1), symbols = Nil)))
  }
}
