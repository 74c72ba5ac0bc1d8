// Shared objects: made, opened, and run by a C program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "compiler/codegen/aot.h"
#include "tests/unit/codegen/runner.h"

namespace wend::test {
namespace {

namespace fs = std::filesystem;
using codegen::Artifact;
using codegen::Jit;
using codegen::Level;
using testing::HasSubstr;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "wend-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Status and output of a shell command.
std::pair<int, std::string> shell(const std::string& command) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part;
  while (size_t n = std::fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), n);
  return {pclose(pipe), text};
}

// What abi_client.c expects.
plan::Plan calls_plan() {
  PlanBuilder b;
  const NodeId trace = b.variable(0);
  int64_t row = b.new_variable(), v = b.new_variable();
  NodeId exists = b.op(Op::exists, Type::boolean, {b.load(WEND_COLUMN_call_result, Type::row, b.variable(v))});
  auto count = [&](NodeId of) {
    return b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call, of, v, exists, kNoNode);
  };
  uint32_t answered = b.column("answered", WEND_TABLE_trace, Type::integer, row, count(b.variable(row)));
  b.literal(Type::symbol, "cancel", 0);
  NodeId raw = b.op(Op::to_real, Type::real, {b.memo(answered, trace)});
  plan::Reward reward;
  reward.name = "calls";
  reward.terms.push_back(PlanBuilder::term("answered", raw, b.op(Op::multiply, Type::real, {raw, b.param("w", 0.5)}), 0,
                                           b.op(Op::to_real, Type::real, {count(trace)})));
  reward.terms.push_back(PlanBuilder::term("gold", b.real(7), b.real(7), WEND_CAP_GOLD));
  b.plan.rewards.push_back(reward);
  return b.plan;
}

TEST(Aot, CProgramRunsASharedObject) {
  Folder folder;
  auto made = codegen::emit_shared(*Jit::create({}), calls_plan(), folder / "calls.so");
  ASSERT_TRUE(made.ok()) << made.error().message;
  std::string client = folder / "client";
  auto [compiled, messages] = shell("cc -std=c11 -Wall -Wextra -Werror -I runtime/include -o " + client +
                                    " tests/unit/codegen/abi_client.c -ldl -lm");
  ASSERT_EQ(compiled, 0) << messages;
  auto [status, output] = shell(client + " " + (folder / "calls.so"));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(output, "all passed\n");
}

TEST(Aot, ExportsOneNameAndNeedsNoLlvm) {
  Folder folder;
  ASSERT_TRUE(codegen::emit_shared(*Jit::create({}), calls_plan(), folder / "calls.so").ok());
  auto [status, names] = shell("nm -D --defined-only --format=posix " + (folder / "calls.so") + " | cut -d' ' -f1");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(names, "wend_program_get\n");
  auto [read, needed] = shell("readelf -d " + (folder / "calls.so"));
  EXPECT_EQ(read, 0);
  EXPECT_THAT(needed, testing::Not(HasSubstr("LLVM")));
}

TEST(Aot, SharedObjectAndJitAgree) {
  Folder folder;
  TestBatch batch;
  fill_dialogues(batch);
  auto jit = Jit::create({});
  ASSERT_TRUE(codegen::emit_shared(*jit, calls_plan(), folder / "calls.so", {.level = Level::O0}).ok());
  auto opened = open_program(folder / "calls.so");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  auto compiled = jit->compile(calls_plan());
  ASSERT_TRUE(compiled.ok());
  Runner a(*opened, batch), b(*compiled, batch);
  EXPECT_EQ(a.prepare().reward().totals, b.prepare().reward().totals);
  EXPECT_EQ(a.attribute().evidence_count, 4u);
  EXPECT_EQ((*opened)->info().fingerprint, (*compiled)->info().fingerprint);
}

TEST(Aot, TextArtifacts) {
  auto jit = Jit::create({});
  auto ir = codegen::emit(*jit, calls_plan(), Artifact::ir, {.level = Level::O0});
  ASSERT_TRUE(ir.ok());
  EXPECT_THAT(*ir, HasSubstr("define ptr @wend_program_get()"));
  EXPECT_THAT(*ir, HasSubstr("define internal void @answered(ptr"));
  EXPECT_THAT(*ir, HasSubstr("!DILocation(line: 1"));
  EXPECT_THAT(*ir, testing::Not(HasSubstr("contract")));
  auto assembly = codegen::emit(*jit, calls_plan(), Artifact::assembly);
  ASSERT_TRUE(assembly.ok());
  EXPECT_THAT(*assembly, HasSubstr("wend_program_get:"));
  auto object = codegen::emit(*jit, calls_plan(), Artifact::object);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->substr(1, 3), "ELF");
}

TEST(Aot, ProblemsAreReported) {
  auto jit = Jit::create({});
  auto nowhere = codegen::emit_shared(*jit, calls_plan(), "/nonexistent/folder/calls.so");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_THAT(nowhere.error().message, HasSubstr("/nonexistent/folder"));
  Folder folder;
  setenv("CC", "no-such-compiler-at-all", 1);
  auto unlinked = codegen::emit_shared(*jit, calls_plan(), folder / "calls.so");
  unsetenv("CC");
  ASSERT_FALSE(unlinked.ok());
  EXPECT_THAT(unlinked.error().message, HasSubstr("no-such-compiler-at-all"));
  EXPECT_FALSE(fs::exists(folder / "calls.so"));
  EXPECT_TRUE(fs::is_empty(fs::path(folder / "calls.so").parent_path())) << "nothing is left behind";
}

}  // namespace
}  // namespace wend::test
