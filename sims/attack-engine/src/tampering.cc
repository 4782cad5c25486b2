// A1, A2, A3: single bits, random bytes, exchanged places.
#include <algorithm>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

struct Place {
  uint32_t address;
  uint32_t bytes;
};

/** Where a block's data, or its entry in an array of metadata, lie. */
Place place(const Scheme& scheme, const MetadataArray* array, uint32_t block) {
  if (array == nullptr) return {block * scheme.blockBytes, scheme.blockBytes};
  return {static_cast<uint32_t>(array->entryAddress(block)), array->entryBytes()};
}

bool allZero(const Image& image, Place place) {
  return std::all_of(image.at(place.address), image.at(place.address) + place.bytes, [](uint8_t b) { return b == 0; });
}

Outcome readAndJudge(Bench& bench, uint32_t block) {
  bench.readBlock(block);
  return bench.judge();
}

/** A counter of zero means "never written": to make one is a rollback (A4), not a forgery. */
bool forges(const Bench& bench, const MetadataArray* array, Place place) {
  return array == nullptr || array->kind != "counter" || !allZero(bench.memory.stored, place);
}

Outcome flipOne(Victim& victim, const MetadataArray* array, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const Place at = place(bench.scheme, array, block);
  if (allZero(bench.memory.stored, at)) return Outcome::NoEffect;
  const bool own = array != nullptr && array->kind == "written";
  const uint32_t bit = own ? block % array->blocksPerLine : number % (8 * at.bytes);
  const uint32_t byte = at.address + bit / 8;
  bench.memory.stored.put(byte, static_cast<uint8_t>(*bench.memory.stored.at(byte) ^ 1u << bit % 8));
  if (!forges(bench, array, at)) return Outcome::NoEffect;
  return readAndJudge(bench, block);
}

Outcome randomise(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const Place at = place(bench.scheme, array, block);
  if (allZero(bench.memory.stored, at)) return Outcome::NoEffect;
  for (uint32_t i = 0; i < at.bytes; i++) {
    bench.memory.stored.put(at.address + i, static_cast<uint8_t>(bench.random.next()));
  }
  if (!forges(bench, array, at)) return Outcome::NoEffect;
  return readAndJudge(bench, block);
}

void exchange(Image& image, Place a, Place b) {
  const std::vector<uint8_t> kept(image.at(a.address), image.at(a.address) + a.bytes);
  const std::vector<uint8_t> moved(image.at(b.address), image.at(b.address) + b.bytes);
  image.write(a.address, moved.data(), a.bytes);
  image.write(b.address, kept.data(), b.bytes);
}

Outcome splice(Victim& victim, bool withMetadata) {
  Bench& bench = victim.bench;
  const uint32_t a = victim.writtenBlock();
  const uint32_t b = victim.writtenBlock();
  if (a == b) return Outcome::NoEffect;
  exchange(bench.memory.stored, place(bench.scheme, nullptr, a), place(bench.scheme, nullptr, b));
  for (const MetadataArray& array : bench.scheme.arrays) {
    const bool sameLine = array.entryAddress(a) == array.entryAddress(b);
    if (withMetadata && array.kind != "node" && !sameLine) {
      exchange(bench.memory.stored, place(bench.scheme, &array, a), place(bench.scheme, &array, b));
    }
  }
  bench.client.ask(bench.readOf(b));
  return readAndJudge(bench, a);
}

}  // namespace

AttackRows tampering(const Scheme& scheme) {
  const Expected expected = detectedIf(scheme.integrity);
  AttackRows rows = {
      {"A1", "data bit flipped", expected, 4, [](Victim& v, uint32_t n) { return flipOne(v, nullptr, n); }},
      {"A2", "data replaced", expected, 2, [](Victim& v, uint32_t) { return randomise(v, nullptr); }},
      {"A3", "data exchanged", expected, 2, [](Victim& v, uint32_t) { return splice(v, false); }},
  };
  if (scheme.arrays.empty()) return rows;
  rows.push_back(
      {"A3", "data and metadata exchanged", expected, 2, [](Victim& v, uint32_t) { return splice(v, true); }});
  for (const MetadataArray& array : scheme.arrays) {
    const MetadataArray* a = &array;
    rows.push_back(
        {"A1", array.name() + " bit flipped", expected, 2, [a](Victim& v, uint32_t n) { return flipOne(v, a, n); }});
    rows.push_back(
        {"A2", array.name() + " replaced", expected, 1, [a](Victim& v, uint32_t) { return randomise(v, a); }});
  }
  return rows;
}

}  // namespace hauberk::engine
