#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "alarm.h"
#include "dram_storage.h"
#include "entropy.h"
#include "finisher.h"
#include "json_file.h"
#include "output_file.h"
#include "package.h"
#include "plaintext_watch.h"
#include "soc_config.h"
#include "user_error.h"

namespace hauberk {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("hauberk-files-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  /** What the user is told when `action` refuses its input. */
  template <class Action>
  static std::string refusal(Action action) {
    try {
      action();
    } catch (const UserError& error) {
      return error.what();
    }
    return "(not refused)";
  }

  fs::path folder_;
};

const char* const kConfig = R"({"config": "C", "cores": 2, "dramBase": 2147483648, "dramBytes": 4096,
  "dataBytes": 3072, "protected": true})";
const char* const kWrapped = "000102030405060708090a0b0c0d0e0f1011121314151617";

std::string header(const std::string& config, const std::string& entry, const std::string& wrapped) {
  return R"({"config": ")" + config + R"(", "dramBase": "0x80000000", "imageBlocks": 40, "entry": )" + entry +
         R"(, "wrappedKey": ")" + wrapped + "\"}";
}

TEST_F(Files, ConfigIsRead) {
  const SocConfig soc = SocConfig::read(write("c.json", kConfig));
  EXPECT_EQ(soc.name, "C");
  EXPECT_EQ(soc.cores, 2u);
  EXPECT_EQ(soc.dramBase, 0x80000000u);
  EXPECT_EQ(soc.dramBytes, 4096u);
  EXPECT_EQ(soc.dataBytes, 3072u);
  EXPECT_TRUE(soc.isProtected);
}

TEST_F(Files, ConfigKnowsItsSharedBusIfItHasOne) {
  EXPECT_FALSE(SocConfig::read(write("c.json", kConfig)).bus);
  std::string text = kConfig;
  text.insert(1, R"("bus": {"members": 3, "ratio": 10, "widthBits": 256, "secured": true, "masks": 8}, )");
  const SocConfig soc = SocConfig::read(write("c.json", text));
  ASSERT_TRUE(soc.bus);
  EXPECT_EQ(soc.bus->members, 3u);
  EXPECT_EQ(soc.bus->ratio, 10u);
  EXPECT_EQ(soc.bus->widthBits, 256u);
  EXPECT_TRUE(soc.bus->secured);
  text.replace(text.find("{\"members"), text.find("}") - text.find("{\"members") + 1, "3");
  EXPECT_NE(refusal([&] { SocConfig::read(write("c.json", text)); }).find("\"bus\" must be an object"),
            std::string::npos);
}

TEST_F(Files, HeaderIsReadWithItsKeyBigEndian) {
  const SocConfig soc = SocConfig::read(write("c.json", kConfig));
  const Package package = Package::read("image", write("h.json", header("C", "\"0x80000040\"", kWrapped)), soc);
  EXPECT_EQ(package.entry, 0x80000040u);
  EXPECT_EQ(package.wrappedKey[0], 0x0001020304050607u);
  EXPECT_EQ(package.wrappedKey[2], 0x1011121314151617u);
  EXPECT_EQ(package.imageBlocks, 40u);
  EXPECT_EQ(package.tagsPath, "");
}

TEST_F(Files, TagsAreBesideTheHeader) {
  const SocConfig soc = SocConfig::read(write("c.json", kConfig));
  std::string text = header("C", "\"0x80000040\"", kWrapped);
  text.back() = ',';
  text += R"("tags": "tags.bin", "tagsBase": "0x80000c00"})";
  const Package package = Package::read("image", write("h.json", text), soc);
  EXPECT_EQ(package.tagsPath, folder_ / "tags.bin");
  EXPECT_EQ(package.tagsBase, 0x80000c00u);
}

TEST_F(Files, BadPackagesAreRefusedWithTheReason) {
  const SocConfig soc = SocConfig::read(write("c.json", kConfig));
  auto reading = [&](const std::string& text) {
    return refusal([&] { Package::read("image", write("h.json", text), soc); });
  };
  EXPECT_NE(reading(header("Other", "2147483648", kWrapped)).find("made for Other"), std::string::npos);
  EXPECT_NE(reading(header("C", "2147487744", kWrapped)).find("entry point"), std::string::npos);
  EXPECT_NE(reading(header("C", "2147483648", "12")).find("48 hexadecimal digits"), std::string::npos);
  EXPECT_NE(reading(header("C", "2147483648", "")).find("48 hexadecimal digits"), std::string::npos);
  EXPECT_NE(reading(header("C", "-1", kWrapped)).find("\"entry\" must be a number"), std::string::npos);
  EXPECT_NE(reading("{").find("not a JSON object"), std::string::npos);
  EXPECT_NE(reading("[]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(refusal([&] { Package::read("image", folder_ / "absent.json", soc); }).find("cannot read"),
            std::string::npos);
}

TEST_F(Files, DeviceKeyComesFromTheVendorsHalfOfThePackage) {
  EXPECT_FALSE(developmentDeviceKey(folder_));
  write("vendor.json", R"({"deviceKey": "000102030405060708090a0b0c0d0e0f"})");
  const auto key = developmentDeviceKey(folder_);
  ASSERT_TRUE(key);
  for (int i = 0; i < 16; i++) EXPECT_EQ((*key)[i], i);
  EXPECT_NE(refusal([] { deviceKeyFromHex("0g"); }).find("32 hexadecimal digits"), std::string::npos);
}

TEST_F(Files, StorageLoadsAndDumpsButNeverOverflows) {
  DramStorage storage(0x80000000, 64, 0);
  storage.load(write("image", std::string("\x01\x02\x03\x04\x05\x06\x07\x08\x09", 9)), 0x80000000);
  EXPECT_EQ(storage.read(0x80000000), 0x0807060504030201u);
  EXPECT_EQ(storage.read(0x80000008), 9u);
  storage.load(write("tags", std::string("\x0a\x0b", 2)), 0x8000003e);
  EXPECT_EQ(storage.read(0x80000038), 0x0b0a000000000000u);
  storage.dump(folder_ / "dump");
  EXPECT_EQ(fs::file_size(folder_ / "dump"), 64u);
  EXPECT_NE(refusal([&] { storage.load(write("large", std::string(65, 'x')), 0x80000000); }).find("has 65 bytes"),
            std::string::npos);
  EXPECT_NE(refusal([&] { storage.load(write("late", "xyz"), 0x8000003e); }).find("DRAM has 2 where"),
            std::string::npos);
  EXPECT_NE(refusal([&] { storage.load(write("below", "x"), 0x7fffffff); }).find("DRAM has 0 where"),
            std::string::npos);
}

TEST(Storage, WakesUpWithRepeatableNoise) {
  const DramStorage a(0, 64, 1), b(0, 64, 1), c(0, 64, 2);
  EXPECT_EQ(a.read(8), b.read(8));
  EXPECT_NE(a.read(8), c.read(8));
  EXPECT_NE(a.read(8), 0u);
}

TEST_F(Files, WatchCountsEveryPlaintextWordWrittenToItsPlace) {
  PlaintextWatch watch(write("plain", std::string("ABCDEFGH\0\0\0\0\0\0\0\0XY", 18)), 0x1000);
  watch.written(0x1000, 0x4847464544434241);
  watch.written(0x1000, 0x4847464544434240);
  watch.written(0x1008, 0x4847464544434241);  // the right word in the wrong place
  watch.written(0x1008, 0);                   // zeros are no secret
  watch.written(0x1010, 0x5958);
  watch.written(0x1018, 1);
  watch.written(0xff8, 1);
  EXPECT_EQ(watch.count(), 2u);
}

TEST(Entropy, IsRepeatableFromItsSeedAndRecordsWhatWasUsed) {
  EntropySource a(7), b(7), fresh(std::nullopt), other(std::nullopt);
  const uint64_t first = a.word();
  EXPECT_EQ(first, b.word());
  a.taken();
  EXPECT_NE(a.word(), first);
  EXPECT_EQ(a.used(), std::vector<uint64_t>{first});
  EXPECT_NE(fresh.word(), other.word());
}

TEST(Finisher, DecodesPassFailAndReset) {
  EXPECT_EQ(decodeFinish(0x5555).exitCode, 0);
  EXPECT_EQ(decodeFinish(0x00073333).exitCode, 7);
  EXPECT_EQ(decodeFinish(0x3333).exitCode, 1);
  EXPECT_EQ(decodeFinish(0x01003333).exitCode, 1);
  EXPECT_EQ(decodeFinish(0x00b03333).exitCode, kBootRefused);
  EXPECT_FALSE(decodeFinish(0x00b03333).explanation.empty());
  EXPECT_EQ(decodeFinish(0x7777).exitCode, kExitReset);
  EXPECT_EQ(decodeFinish(0x1234).exitCode, kExitReset);
}

TEST(AlarmName, IsWhatTheRegisterMapSays) {
  auto name = [](uint64_t cause) {
    Alarm alarm;
    alarm.cause = cause;
    return alarm.name();
  };
  EXPECT_EQ(name(0), "none");
  EXPECT_EQ(name(3), "counter overflow");
  EXPECT_EQ(name(5), "block mismatch");
  EXPECT_EQ(name(7), "log mismatch");
  EXPECT_EQ(name(8), "late verdict");
  EXPECT_EQ(name(9), "chip fault");
  EXPECT_EQ(name(10), "unknown");
}

TEST_F(Files, OutputsAreTriedWithoutATrace) {
  const std::string path = folder_ / "run.json";
  tryOutput(path);
  EXPECT_FALSE(fs::exists(path));
  write("run.json", "kept");
  tryOutput(path);
  EXPECT_EQ(fs::file_size(path), 4u);
  EXPECT_NE(refusal([&] { tryOutput(folder_ / "no" / "such"); }).find("cannot write"), std::string::npos);
  EXPECT_NE(refusal([&] { tryOutput(folder_); }).find("cannot write"), std::string::npos);
}

TEST_F(Files, OutputsAreWrittenToTheirEnd) {
  const std::string path = folder_ / "dram.bin";
  writeOutput(path, "abcd", 4);
  EXPECT_EQ(fs::file_size(path), 4u);
  EXPECT_NE(refusal([&] { writeOutput("/dev/full", "abcd", 4); }).find("cannot write /dev/full"), std::string::npos);
}

}  // namespace
}  // namespace hauberk
