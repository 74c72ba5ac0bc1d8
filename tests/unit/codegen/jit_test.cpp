// The JIT as a whole: cache, sessions, threads, large plans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compiler/codegen/jit.h"
#include "compiler/codegen/object_loader.h"
#include "compiler/codegen/tiered_program.h"
#include "tests/unit/codegen/runner.h"

namespace wend::test {
namespace {

namespace fs = std::filesystem;
using codegen::Artifact;
using codegen::Jit;
using codegen::JitOptions;
using codegen::Level;
using codegen::LoadedObject;
using codegen::ObjectCache;

// n columns over calls: column k is column k-1 + number * factor; one signal sums the last over the trace.
plan::Plan chain_of_columns(int n, int64_t factor, bool one_pass) {
  PlanBuilder b;
  int64_t row = b.new_variable(), v = b.new_variable();
  NodeId number = b.load(WEND_COLUMN_call_number, Type::integer, b.variable(row));
  NodeId step = b.op(Op::multiply, Type::integer, {number, b.integer(factor)});
  uint32_t last = b.column("spec.c0", WEND_TABLE_call, Type::integer, row, step);
  for (int k = 1; k < n; ++k) {
    NodeId sum = b.op(Op::add, Type::integer, {b.memo(last, b.variable(row)), step});
    last = b.column("spec.c" + std::to_string(k), WEND_TABLE_call, Type::integer, row, sum, false, false, one_pass);
  }
  NodeId total = b.fold(Op::fold_sum, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call, b.variable(0), v,
                        kNoNode, b.memo(last, b.variable(v)));
  b.signal("total", b.op(Op::to_real, Type::real, {total}));
  return b.plan;
}

double first_signal(const std::shared_ptr<const Program>& program) {
  TestBatch batch;
  fill_dialogues(batch);
  return Runner(program, batch).prepare().signals()[0];
}

class Cache : public testing::Test {
 protected:
  Cache() {
    std::string name = (fs::temp_directory_path() / "wend-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Cache() override { fs::remove_all(folder); }

  std::shared_ptr<Jit> jit() {
    JitOptions options;
    options.cache = ObjectCache(folder);
    return Jit::create(options);
  }
  // Compiles with a new Jit; 1 if it came from the cache.
  uint32_t compile(const plan::Plan& plan, double expected, codegen::CompileOptions options = {}) {
    auto one = jit();
    auto program = one->compile(plan, options);
    EXPECT_TRUE(program.ok()) << program.error().message;
    EXPECT_EQ(first_signal(*program), expected);
    EXPECT_EQ(one->counts().compiled + one->counts().from_cache, 1u);
    return one->counts().from_cache;
  }

  fs::path folder;
};

TEST_F(Cache, SecondCompilationIsALoad) {
  plan::Plan plan = chain_of_columns(3, 1, true);
  EXPECT_EQ(compile(plan, 30), 0u);
  EXPECT_EQ(compile(plan, 30), 1u);
  EXPECT_EQ(compile(plan, 30, {.level = Level::O0}), 0u) << "the level is part of the key";
  EXPECT_EQ(compile(chain_of_columns(3, 2, true), 60), 0u) << "so is the plan";
  EXPECT_EQ(compile(plan, 30), 1u);
}

// Names are in the symbols that debuggers and profilers show, places only in the debug information.
TEST_F(Cache, NamesAndPlaces) {
  plan::Plan plan = chain_of_columns(3, 1, true);
  EXPECT_EQ(compile(plan, 30), 0u);
  EXPECT_EQ(compile(plan, 30, {.debug = false}), 0u);
  plan.columns[0].name = "renamed";
  EXPECT_EQ(compile(plan, 30), 0u);
  EXPECT_EQ(compile(plan, 30, {.debug = false}), 0u);
  plan.places[0] = "test.wend:2";
  EXPECT_EQ(compile(plan, 30), 0u);
  EXPECT_EQ(compile(plan, 30, {.debug = false}), 1u);
}

TEST_F(Cache, DamagedEntriesAreMadeAnew) {
  plan::Plan plan = chain_of_columns(3, 1, true);
  compile(plan, 30);
  const fs::path file = ObjectCache(folder).file(jit()->key(plan, {}));
  ASSERT_TRUE(fs::exists(file));
  const auto size = fs::file_size(file);
  auto damage = [&](uintmax_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    char byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte);
  };
  for (uintmax_t at : {uintmax_t{0}, uintmax_t{20}, uintmax_t{100}, size / 2, size - 1}) {
    damage(at);
    EXPECT_EQ(compile(plan, 30), 0u) << "byte " << at;
    EXPECT_EQ(compile(plan, 30), 1u);
  }
  for (uintmax_t length : {uintmax_t{0}, uintmax_t{10}, size - 1}) {
    fs::resize_file(file, length);
    EXPECT_EQ(compile(plan, 30), 0u) << "cut to " << length;
  }
  // An intact entry under the name of another one.
  compile(chain_of_columns(3, 2, true), 60);
  fs::copy_file(ObjectCache(folder).file(jit()->key(chain_of_columns(3, 2, true), {})), file,
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(compile(plan, 30), 0u);
}

TEST_F(Cache, EntriesThatOthersCanWriteAreNotRun) {
  plan::Plan plan = chain_of_columns(3, 1, true);
  compile(plan, 30);
  const fs::path file = ObjectCache(folder).file(jit()->key(plan, {}));
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(compile(plan, 30), 0u);
}

TEST_F(Cache, FolderThatCannotBeMadeIsNoError) {
  std::ofstream(folder / "file") << "not a folder";
  folder = folder / "file" / "cache";
  EXPECT_EQ(compile(chain_of_columns(3, 1, true), 30), 0u);
  EXPECT_EQ(compile(chain_of_columns(3, 1, true), 30), 0u);
  folder = folder.parent_path().parent_path();
}

TEST_F(Cache, OldestEntriesGoFirst) {
  const std::string bytes(1000, 'x'), key_start(63, '0');
  ObjectCache cache(folder, 5000);
  auto key = [&](int i) { return key_start + std::to_string(i); };
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache.put(key(i), bytes));
    fs::last_write_time(cache.file(key(i)), fs::file_time_type::clock::now() - std::chrono::hours(100 - i));
  }
  EXPECT_TRUE(cache.get(key(0))) << "used now, so no longer the oldest";
  ASSERT_TRUE(cache.put(key(4), bytes));
  EXPECT_TRUE(cache.get(key(0)));
  EXPECT_FALSE(cache.get(key(1)));
  EXPECT_FALSE(cache.get(key(2)));
  EXPECT_TRUE(cache.get(key(3)));
  EXPECT_TRUE(cache.get(key(4)));
}

TEST_F(Cache, PlacesOfTheEnvironment) {
  setenv("WEND_CACHE", folder.c_str(), 1);
  EXPECT_EQ(ObjectCache::of_environment().folder(), folder);
  setenv("WEND_CACHE", "", 1);
  EXPECT_FALSE(ObjectCache::of_environment().enabled());
  unsetenv("WEND_CACHE");
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(ObjectCache::of_environment().folder(), "/somewhere/wend");
  unsetenv("XDG_CACHE_HOME");
}

TEST(JitSession, TwoProgramsAtOnceAndOneAfterTheSession) {
  auto jit = Jit::create({});
  auto a = jit->compile(chain_of_columns(3, 1, true)), b = jit->compile(chain_of_columns(3, 5, false));
  auto again = jit->compile(chain_of_columns(3, 1, true));
  ASSERT_TRUE(a.ok() && b.ok() && again.ok());
  EXPECT_EQ(first_signal(*a), 30);
  EXPECT_EQ(first_signal(*b), 150);
  jit.reset();
  *a = nullptr;
  EXPECT_EQ(first_signal(*b), 150);
  EXPECT_EQ(first_signal(*again), 30);
}

TEST(JitSession, ManyThreads) {
  auto jit = Jit::create({});
  std::vector<std::thread> threads;
  std::vector<double> got(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        auto program = jit->compile(chain_of_columns(5, i + 1, i % 2 == 0), {.level = Level(round % 2)});
        got[static_cast<size_t>(i)] += program.ok() ? first_signal(*program) : -1e9;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], 3 * 50 * (i + 1));
}

TEST(JitSession, LargePlans) {
  auto jit = Jit::create({});
  for (Level level : {Level::O0, Level::O2}) {
    for (bool one_pass : {false, true}) {
      auto program = jit->compile(chain_of_columns(300, 1, one_pass), {.level = level});
      ASSERT_TRUE(program.ok());
      EXPECT_EQ(first_signal(*program), 3000);
    }
  }
}

// x[k + 1] = (c ? x[k] : 0) + (d ? x[k] : 1): each level is needed on two ways.
TEST(JitSession, ExponentialPlansAreRefused) {
  for (int depth : {8, 40}) {
    PlanBuilder b;
    int64_t v = b.new_variable();
    NodeId calls = b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call, b.variable(0), v,
                          kNoNode, kNoNode);
    NodeId c = b.param("c", 1, Type::boolean), d = b.param("d", 1, Type::boolean), x = calls;
    for (int k = 0; k < depth; ++k) {
      NodeId first = b.op(Op::choose, Type::integer, {c, x, b.integer(0)});
      NodeId second = b.op(Op::choose, Type::integer, {d, x, b.integer(1)});
      x = b.op(Op::add, Type::integer, {first, second});
    }
    b.signal("x", b.op(Op::to_real, Type::real, {x}));
    auto program = Jit::create({})->compile(b.plan);
    ASSERT_EQ(program.ok(), depth == 8);
    if (program.ok()) {
      EXPECT_EQ(first_signal(*program), 5 * 256);
    } else {
      EXPECT_THAT(program.error().message, testing::HasSubstr("too large"));
    }
  }
}

// More traces than a block of prepare(), in ranges that cut blocks.
TEST(JitSession, BlocksOfTraces) {
  TestBatch batch;
  std::vector<wend_span> calls;
  std::vector<uint32_t> numbers;
  for (uint32_t t = 0; t < 101; ++t) {
    uint32_t begin = static_cast<uint32_t>(numbers.size());
    for (uint32_t i = 0; i < t % 5; ++i) numbers.push_back(t + i);
    calls.push_back({begin, static_cast<uint32_t>(numbers.size())});
  }
  batch.set(WEND_TABLE_trace, WEND_COLUMN_trace_calls, calls)
      .set(WEND_TABLE_trace, WEND_COLUMN_trace_caps, std::vector<uint32_t>(101))
      .set(WEND_TABLE_call, WEND_COLUMN_call_number, numbers);
  auto program = Jit::create({})->compile(chain_of_columns(2, 1, false));
  ASSERT_TRUE(program.ok());
  Runner runner(*program, batch);
  for (auto [begin, end] : {std::pair(0, 7), std::pair(7, 7), std::pair(7, 50), std::pair(50, 101)}) {
    (*program)->prepare(runner.context(), static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  }
  std::vector<double> signals = runner.signals();
  for (uint32_t t = 0; t < 101; ++t) {
    double expected = 0;
    for (uint32_t i = 0; i < t % 5; ++i) expected += 2 * (t + i);
    EXPECT_EQ(signals[t], expected) << t;
  }
}

TEST_F(Cache, TieredProgramsStartQuickAndEndOptimised) {
  plan::Plan plan = chain_of_columns(3, 1, true);
  auto one = jit();
  auto program = one->compile(plan, {.tiered = true});
  ASSERT_TRUE(program.ok());
  auto* tiered = dynamic_cast<const codegen::TieredProgram*>(program->get());
  ASSERT_NE(tiered, nullptr);
  EXPECT_EQ(first_signal(*program), 30);
  EXPECT_FALSE(tiered->improved()) << "too little has been run";
  EXPECT_EQ(one->counts().compiled, 1u);
  // As if it had run for long.
  auto quick = one->compile(plan, {.level = Level::O0});
  codegen::TieredProgram eager(*quick, [&] { return one->compile(plan); }, std::chrono::nanoseconds(0));
  std::shared_ptr<const Program> view(&eager, [](const Program*) {});
  for (int i = 0; i < 2000 && !eager.improved(); ++i) {
    EXPECT_EQ(first_signal(view), 30);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(eager.improved());
  EXPECT_EQ(first_signal(view), 30);
  // From now on the optimised code is in the cache and is used at once.
  auto later = jit()->compile(plan, {.tiered = true});
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(dynamic_cast<const codegen::TieredProgram*>(later->get()), nullptr);
  EXPECT_EQ(first_signal(*later), 30);
}

TEST(Loader, RefusesWhatIsNoObject) {
  EXPECT_FALSE(LoadedObject::load("").ok());
  EXPECT_FALSE(LoadedObject::load("not an object at all").ok());
  auto object = Jit::create({})->lower(chain_of_columns(3, 1, true), {}, Artifact::object);
  ASSERT_TRUE(object.ok());
  EXPECT_TRUE(LoadedObject::load(*object).ok());
  // Whatever is wrong, it is an error and not a crash (nothing of it is run).
  for (size_t length = 0; length < object->size(); length += 61) {
    (void)LoadedObject::load(std::string_view(*object).substr(0, length));
  }
  for (size_t at = 0; at < object->size(); at += 7) {
    std::string damaged = *object;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    (void)LoadedObject::load(damaged);
  }
}

TEST(Loader, NamesFunctionsAsInTheSpec) {
  auto object = Jit::create({})->lower(chain_of_columns(3, 1, false), {}, Artifact::object);
  ASSERT_TRUE(object.ok());
  auto loaded = LoadedObject::load(*object);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_THAT((*loaded)->symbol_map(), testing::HasSubstr(" spec.c1\n"));
  EXPECT_NE((*loaded)->find("wend_prepare"), nullptr);
  EXPECT_EQ((*loaded)->find("spec.c1"), nullptr) << "internal names are not to be called";
}

}  // namespace
}  // namespace wend::test
