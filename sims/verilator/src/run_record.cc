#include "run_record.h"

#include <cinttypes>
#include <cmath>
#include <nlohmann/json.hpp>

#include "output_file.h"
#include "progress.h"

namespace hauberk {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

std::string hex(uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%016" PRIx64, value);
  return text;
}

Json dramJson(const Options& options, const Traffic& traffic) {
  return {{"latency", options.dram.latency},
          {"cycles_per_beat", options.dram.cyclesPerBeat},
          {"bus_bytes", options.dram.busBytes},
          {"outstanding", options.dram.outstanding},
          {"write_queue", options.dram.writeQueue},
          {"jitter", options.dram.jitter},
          {"data_reads", traffic.dataReads.blocks},
          {"data_writes", traffic.dataWrites.blocks},
          {"metadata_reads", traffic.metadataReads.blocks},
          {"metadata_writes", traffic.metadataWrites.blocks},
          {"initialisation_writes", traffic.initialisation.blocks},
          {"data_read_beats", traffic.dataReads.beats},
          {"data_write_beats", traffic.dataWrites.beats},
          {"metadata_read_beats", traffic.metadataReads.beats},
          {"metadata_write_beats", traffic.metadataWrites.beats}};
}

/** What an alarm adds to the counters of a device. */
template <typename Raised>
void addAlarm(Json& json, const Raised& alarm) {
  json["alarm"] = alarm.raised;
  if (alarm.raised) json["alarm_cause"] = alarm.name();
}

// For a counter of registers.h
#define RECORD(field, object, key) record[#object][#key] = counters.field;

Json coresJson(const std::vector<CoreState>& cores) {
  Json list = Json::array();
  for (const CoreState& core : cores) list.push_back({{"pc", hex(core.pc)}, {"retired", core.retired}});
  return list;
}

Json entropyJson(const Options& options, const std::vector<uint64_t>& words) {
  Json list = Json::array();
  for (uint64_t word : words) list.push_back(hex(word));
  return {{"seed", options.entropySeed ? Json(*options.entropySeed) : Json()}, {"words", list}};
}

void addCache(Json& record, const CacheCounters& counters) { CACHE_RECORDED(RECORD) }

void addBus(Json& record, const BusConfig& bus, const RunRecord& run) {
  const BusCounters& counters = run.busCounters;
  Json& json = record["bus"];
  json = {{"members", bus.members},
          {"ratio", bus.ratio},
          {"width_bits", bus.widthBits},
          {"secured", bus.secured},
          {"cycles", run.cycles / bus.ratio}};
  BUS_RECORDED(RECORD)
  addAlarm(json, run.busAlarm);
  if (run.busAlarm.raised) {
    json["alarm_member"] = run.busAlarm.pid;
    json["alarm_cycle"] = run.busAlarmCycle;
  }
}

Json padsJson(const PadLog& pads) {
  Json shares = Json::array();
  for (uint64_t word : pads.shares()) shares.push_back(hex(word));
  Json announced = Json::array();
  for (const auto& [block, said] : pads.latest()) {
    announced.push_back({{"block", block}, {"writer", said.writer}, {"count", said.count}});
  }
  return {{"shares", shares}, {"announced", announced}};
}

/** What an adversary did; the cycle is null if it never came to it. */
Json attacksJson(const std::vector<AttackRecord>& attacks) {
  Json list = Json::array();
  for (const AttackRecord& attack : attacks) {
    list.push_back({{"script", attack.script},
                    {"cycle", attack.struck ? Json(attack.cycle) : Json()},
                    {"bytes_changed", attack.bytesChanged},
                    {"bursts", attack.bursts}});
  }
  return list;
}

}  // namespace

void RunRecord::write(const Options& options, const SocConfig& soc) const {
  Json record = {
      {"config", soc.name},
      {"program", options.program},
      {"ending", ending},
      {"exit_code", exitCode},
      {"cycles", cycles},
      {"initialisation_cycles", initialisationCycles},
      {"wall_seconds", rounded(wallSeconds, 1000)},
      {"cpu_seconds", rounded(cpuSeconds, 1000)},
      {"kHz", rounded(Progress::kiloHertz(cycles, wallSeconds), 10)},
      {"kHz_cpu", rounded(Progress::kiloHertz(cycles, cpuSeconds), 10)},
      {"cores", coresJson(cores)},
      {"dram", dramJson(options, traffic)},
  };
  PROTECTOR_RECORDED(RECORD)
  Json& protector = record["protector"];
  addAlarm(protector, alarm);
  if (alarm.raised) {
    protector["alarm_address"] = hex(alarm.address);
    protector["alarm_cycle"] = alarmCycle;
  }
  record["entropy"] = entropyJson(options, entropyWords);
  if (!roots.empty()) record["roots"] = roots;
  record["uart_log"] = options.uartLogPath;
  if (soc.hasLastLevelCache) addCache(record, cacheCounters);
  if (soc.bus) addBus(record, *soc.bus, *this);
  if (soc.bus && soc.bus->pads) record["pads"] = padsJson(pads);
  if (!attacks.empty()) record["attacks"] = attacksJson(attacks);
  record["plaintext_writes"] = watched ? Json(plaintextWrites) : Json();
  const std::string text = record.dump(2) + "\n";
  writeOutput(options.statisticsPath, text.data(), text.size());
}

}  // namespace hauberk
