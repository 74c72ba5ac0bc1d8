// The parser, the formatter and the rendering of diagnostics, from text to tree and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/dump.h"
#include "compiler/syntax/format.h"
#include "compiler/syntax/parser.h"

namespace wend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Parsed {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<ast::Module> module;

  std::vector<std::string> kinds() const {
    std::vector<std::string> out;
    for (const Diagnostic& diagnostic : diagnostics.all()) out.emplace_back(info(diagnostic.kind).name);
    return out;
  }
};

Parsed parse(const std::string& text) {
  Parsed out;
  const uint32_t file = out.sources.add("test.wend", text);
  out.module = parse_module(out.sources, file, out.diagnostics);
  return out;
}

std::string expression(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("test.wend", text);
  const auto parsed = parse_expression(sources, {file, 0, static_cast<uint32_t>(text.size())}, diagnostics);
  return parsed ? dump(*parsed) : render_text(diagnostics, sources, false);
}

std::string first_declaration(const std::string& text) {
  const Parsed parsed = parse("module m\n" + text);
  if (!parsed.kinds().empty()) return render_text(parsed.diagnostics, parsed.sources, false);
  const std::string all = dump(*parsed.module);
  return all.substr(all.find('\n') + 1);
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path root() { return std::filesystem::path(WEND_TEST_DATA).parent_path().parent_path(); }

// Every spec in the tree that has no syntax error.
std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> out;
  for (const char* folder : {"tests/lit", "tests/fuzz/corpus", "specs", "stdlib"}) {
    if (!std::filesystem::exists(root() / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root() / folder)) {
      if (entry.path().extension() == ".wend" && parse(read(entry.path())).kinds().empty()) out.push_back(entry.path());
    }
  }
  return out;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

TEST(Expressions, BindFromLooseToTight) {
  EXPECT_EQ(expression("x / y else 0 when c else d cap 5"), "(cap (choose (guard (/ x y) 0) c d) 5)");
  EXPECT_EQ(expression("a or b and not c == d + e * -f.g"), "(or a (and b (not (== c (+ d (* e (neg (. f g))))))))");
  EXPECT_EQ(expression("a - b - c / d / e"), "(- (- a b) (/ (/ c d) e))");
  EXPECT_EQ(expression("a ?? b + 1 > c"), "(> (?? a (+ b 1)) c)");
  EXPECT_EQ(expression("1 when a else 2 when b else 3"), "(choose 1 a (choose 2 b 3))");
  EXPECT_EQ(expression("(a cap 1) cap 2"), "(cap (cap a 1) 2)");
  EXPECT_EQ(expression("-x exists"), "(neg (exists x))");
}

TEST(Expressions, ComparisonsInWords) {
  EXPECT_EQ(expression("a is none"), "(is a none)");
  EXPECT_EQ(expression("a is not b"), "(is-not a b)");
  EXPECT_EQ(expression("a not in b.c"), "(not-in a (. b c))");
  EXPECT_EQ(expression("not a in [1, 2,]"), "(not (in a (list 1 2)))");
  EXPECT_EQ(expression("t has not gold"), "(has-not t gold)");
  EXPECT_EQ(expression("n in 1 .. 3"), "(in n (range 1 3))");
  EXPECT_EQ(expression("k.args mentioned in k.turn"), "(mentioned-in (. k args) (. k turn))");
  EXPECT_EQ(expression("k'.args except p == k.args except p"), "(== (except (. k' args) p) (except (. k args) p))");
}

TEST(Expressions, Folds) {
  EXPECT_EQ(expression("sum(c.n for u in turns if u.a if u.b for c in u.calls)"),
            "(fold sum (. c n) (for u turns (if (. u a)) (if (. u b))) (for c (. u calls)))");
  EXPECT_EQ(expression("count(u in turns if u.a)"), "(fold count (for u turns (if (. u a))))");
  EXPECT_EQ(expression("count(hit in u)"), "(fold count (for hit u))");
  EXPECT_EQ(expression("count(distinct c.tool for c in calls)"), "(fold count distinct (. c tool) (for c calls))");
  EXPECT_EQ(expression("any(x in xs for x in ys)"), "(fold any (in x xs) (for x ys))");
  EXPECT_EQ(expression("any((x in xs))"), "(call any (in x xs))");
  EXPECT_EQ(expression("max(a, b)"), "(call max a b)");
  EXPECT_EQ(expression("count(calls)"), "(call count calls)");
  EXPECT_EQ(expression("[x for x, i in xs]"), "(list x (for x i xs))");
  EXPECT_EQ(expression("sum(i for i in 1 .. 3)"), "(fold sum i (for i (range 1 3)))");
}

TEST(Expressions, Literals) {
  EXPECT_EQ(expression("1_000"), "1000");
  EXPECT_EQ(expression("1.50"), "1.5");
  EXPECT_EQ(expression("2.0"), "2.0");
  EXPECT_EQ(expression("100%"), "(percent 1)");
  EXPECT_EQ(expression("4.6%"), "(percent 0.046)");
  EXPECT_EQ(expression("1e-6"), "1e-06");
  EXPECT_EQ(expression("1e-999"), "0.0");
  EXPECT_EQ(expression("-9223372036854775808"), "(neg 9223372036854775808)");
  EXPECT_EQ(expression(R"("a\"\\\u{20AC}\t")"), "\"a\\\"\\\\\u20ac\t\"");
  EXPECT_EQ(expression("{ a: 1, \"b c\": { } }"), "(object (\"a\" 1) (\"b c\" (object)))");
  EXPECT_EQ(expression("tier r { 1.0 => 4, 0.5 .. 0.8 => 2, ..0.1 => 1, 0.9.. => 3, else 0 }"),
            "(tier r (exactly (from 1.0) 4) (arm (from 0.5) (to 0.8) 2) (arm (to 0.1) 1) (arm (from 0.9) 3) (else 0))");
}

TEST(Expressions, LongTextsLoseTheirIndentation) {
  EXPECT_EQ(expression("\"\"\"\n    one\n      two\n\n    three\n    \"\"\""), "\"one\\n  two\\n\\nthree\"");
  EXPECT_EQ(expression("\"\"\"one \"quoted\" word\"\"\""), "\"one \\\"quoted\\\" word\"");
  EXPECT_EQ(expression("\"\"\"\r\n  one\r\n  two\r\n  \"\"\""), "\"one\\ntwo\"");
}

TEST(Expressions, WordsOfTheLanguageAreNamesWhereTheyFit) {
  EXPECT_EQ(expression("call.result + user.is + gold.turn.empty"),
            "(+ (+ (. call result) (. user is)) (. (. gold turn) empty))");
  EXPECT_EQ(expression("count(state) + label(name) + test"), "(+ (+ (call count state) (call label name)) test)");
  EXPECT_EQ(expression("judge.acr(u) + judge intent(m)"), "(+ (call (. judge acr) u) (call (. judge intent) m))");
  EXPECT_EQ(expression("layer + stop * clamp(x, 0, 1)"), "(+ layer (* stop (call clamp x 0 1)))");
  const std::string terms =
      "reward r on t: Trace { layer state { first = 1  is = 2  when = 3  stale = first  signal = call } }";
  EXPECT_EQ(first_declaration(terms),
            "(reward r (on t (type Trace))\n  (layer state\n    (term first 1)\n    (term is 2)\n    (term when 3)\n"
            "    (term stale first)\n    (term signal call)))\n");
  EXPECT_EQ(first_declaration("fn count(label: int, user: int = 1) -> int? = label"),
            "(fn count (parameter label (type int)) (parameter user (type int) (default 1)) (result (type int "
            "optional)) label)\n");
}

TEST(Expressions, SpansCoverWhatIsWritten) {
  const Parsed parsed = parse("module m\nfn f() = (a + b).c(1) * d");
  ASSERT_THAT(parsed.kinds(), IsEmpty());
  const ast::Expr& product = std::get<ast::FnDecl>(parsed.module->declarations[0].body).body;
  EXPECT_EQ(parsed.sources.text(product.span), "(a + b).c(1) * d");
  EXPECT_EQ(parsed.sources.text(product.children[0].span), "(a + b).c(1)");
  EXPECT_EQ(parsed.sources.text(product.children[0].children[0].name_span), "c");
}

// ---- declarations ---------------------------------------------------------------------------------------------------

TEST(Declarations, DocsBelongToWhatFollows) {
  EXPECT_EQ(first_declaration("/// One.\n// no doc\n///   Two.\nparam a : real = 1 in 0 .. 2"),
            "(param a (doc \"One.\\n  Two.\") (type real (range 0 2)) 1)\n");
}

TEST(Declarations, WhenIsAValueOrAStatement) {
  const std::string text =
      "belief B { signal : S = none on user(m) {\n"
      "  signal = f(m) when c < 1  when signal is x { a = 1 when b  push q a } else { clear q }\n"
      "  when tier x { 1 => true, else false } { a = 1 }  g.add({ k: 1 })  when y { a = 2 } } }";
  EXPECT_EQ(first_declaration(text),
            "(belief B\n  (value signal (type S) (default none))\n  (on user m\n"
            "    (assign signal (choose (call f m) (< c 1)))\n"
            "    (when (is signal x)\n      (then\n        (assign a (choose 1 b))\n        (push q a))\n"
            "      (else\n        (clear q)))\n"
            "    (when (tier x (exactly (from 1) true) (else false))\n      (then\n        (assign a 1)))\n"
            "    (call (call (. g add) (object (\"k\" 1))))\n"
            "    (when y\n      (then\n        (assign a 2)))))\n");
}

TEST(Declarations, ARenderMayHaveABudget) {
  EXPECT_EQ(first_declaration("render within of b: B as xml within 400 tokens shortening bytes, A { bytes [1] A [] }"),
            "(render within (of b (type B)) xml (tokens 400)\n  (shortening bytes A)\n  (block bytes (list 1))\n"
            "  (block A (list)))\n");
}

TEST(Declarations, AContextMayBeCalledNone) {
  EXPECT_EQ(first_declaration("fn f() = 1\ncontext none { history all }"),
            "(fn f 1)\n(context none\n  (history-all))\n");
}

TEST(Declarations, TheTourParses) {
  const auto tour = root() / "tests/lit/syntax/Inputs/tour";
  size_t declarations = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tour)) {
    const Parsed parsed = parse(read(entry.path()));
    EXPECT_EQ(render_text(parsed.diagnostics, parsed.sources, false), "") << entry.path();
    declarations += parsed.module->declarations.size();
  }
  EXPECT_EQ(declarations, 28u);
}

TEST(Declarations, TestsHoldWholeDialogues) {
  const std::string text =
      "test \"t\" { trace { tool \"a b\".c(x: text)  user \"hi\"  call \"a b\".c(x: \"1\") and d(\"odd key\": [1, {k: "
      "none}])\n"
      "  result \"ok\"  gold turn 1 { calls [d()]  stale a.b.c = 2  missing [x, \"y z\"]  signal none }\n"
      "  chain [turn 1 call 1, turn 1 call 2 needs 1 and 1] }  set alpha = -1  expect r.l.t == 2.5, b[\"k\"] is 1 "
      "stale [0] }";
  EXPECT_EQ(first_declaration(text),
            "(test \"t\"\n  (trace\n    (tool \"a b.c\" (parameter x (type text)))\n    (user \"hi\")\n"
            "    (call (call \"a b.c\" (\"x\" \"1\")) (call d (\"odd key\" (list 1 (object (\"k\" none))))))\n"
            "    (result \"ok\")\n    (gold 1 (signal none) (call d) (stale a.b c 2) (missing x \"y z\"))\n"
            "    (chain (link 1 1) (link 1 2 1 1)))\n  (set alpha (neg 1))\n"
            "  (expect (== (. (. r l) t) 2.5))\n  (expect (stale (is (index b \"k\") 1) (list 0))))\n");
}

// ---- templates ------------------------------------------------------------------------------------------------------

TEST(Templates, AreTextsAndHoles) {
  SourceSet sources;
  Diagnostics diagnostics;
  const std::string text = R"("Make {p.name} \{not {new ?? "x"}.")";
  const std::string plain = R"("Make {p.name} \{not\} {max(a, b)}.")";
  const uint32_t file = sources.add("t.wend", plain);
  const auto parts = parse_template(sources, {file, 0, static_cast<uint32_t>(plain.size())}, diagnostics);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 5u);
  EXPECT_EQ((*parts)[0].text, "Make ");
  EXPECT_EQ(dump(*(*parts)[1].hole), "(. p name)");
  EXPECT_EQ((*parts)[2].text, " {not} ");
  EXPECT_EQ(dump(*(*parts)[3].hole), "(call max a b)");
  EXPECT_EQ(sources.text((*parts)[3].hole->span), "max(a, b)");
  EXPECT_EQ((*parts)[4].text, ".");
}

TEST(Templates, ReportMistakesInHolesWhereTheyStand) {
  const auto kinds_of = [](const std::string& literal) {
    SourceSet sources;
    Diagnostics diagnostics;
    const uint32_t file = sources.add("t.wend", literal);
    EXPECT_FALSE(parse_template(sources, {file, 0, static_cast<uint32_t>(literal.size())}, diagnostics));
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      out += std::string(info(diagnostic.kind).name) + "@" + std::to_string(diagnostic.span.begin) + " ";
    }
    return out;
  };
  EXPECT_EQ(kinds_of("\"a {b\""), "unclosed-bracket@3 ");
  EXPECT_EQ(kinds_of("\"a { }\""), "unexpected-token@3 ");
  EXPECT_EQ(kinds_of("\"a {b + } {c && d}\""), "unexpected-token@7 foreign-operator@13 ");
}

// ---- mistakes -------------------------------------------------------------------------------------------------------

TEST(Mistakes, EachIsReportedOnceAndTheRestIsRead) {
  const Parsed parsed = parse(
      "module m\nparam a real = 1\nfn f() = (1\nfn g() = \"x\nfn h() = 1 && 2\nparm b : int = 1\n"
      "reward r on t: Trace {\n  layer x {\n    y = 1\nmetric M : percent = 1\nfn i() = 2\n");
  EXPECT_THAT(parsed.kinds(), testing::UnorderedElementsAre("unexpected-token", "unclosed-bracket", "unterminated-text",
                                                            "foreign-operator", "unknown-word", "unclosed-bracket"));
  ASSERT_EQ(parsed.module->declarations.size(), 2u);
  EXPECT_EQ(parsed.module->declarations[0].name.text, "M");
  EXPECT_EQ(parsed.module->declarations[1].name.text, "i");
}

TEST(Mistakes, TextsThatAreNoSpecs) {
  EXPECT_THAT(parse("module m\n\xff").kinds(), ElementsAre("not-utf8"));
  EXPECT_THAT(parse("module m\n\xed\xa0\x80").kinds(), ElementsAre("not-utf8"));  // a surrogate
  EXPECT_THAT(parse("module m\n\xc0\xaf").kinds(), ElementsAre("not-utf8"));      // overlong
  EXPECT_THAT(parse("module m\n\xe2\x82").kinds(), ElementsAre("not-utf8"));      // cut short
  EXPECT_THAT(parse(std::string("module m\0", 9)).kinds(), ElementsAre("nul-byte"));
  EXPECT_THAT(parse("").kinds(), ElementsAre("missing-module"));
  EXPECT_THAT(parse("\xef\xbb\xbfmodule m\n").kinds(), ElementsAre("stray-character"));
  EXPECT_THAT(parse(std::string(10'000'000, 'x')).kinds(), ElementsAre("file-too-large"));
}

TEST(Mistakes, NestingAndLengthAreBounded) {
  const auto nested = [](size_t depth) {
    return parse("module m\nfn f() = " + std::string(depth, '(') + "1" + std::string(depth, ')')).kinds();
  };
  EXPECT_THAT(nested(199), IsEmpty());
  EXPECT_THAT(nested(201), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(nested(400'000), ElementsAre("nesting-too-deep"));
  const auto repeated = [](const std::string& begin, const std::string& part, size_t times) {
    std::string text = "module m\nfn f() = " + begin;
    for (size_t i = 0; i < times; ++i) text += part;
    return parse(text).kinds();
  };
  EXPECT_THAT(repeated("1", " + 1", 999), IsEmpty());
  EXPECT_THAT(repeated("1", " + 1", 100'000), ElementsAre("expression-too-long"));
  EXPECT_THAT(repeated("a", ".b", 100'000), ElementsAre("expression-too-long"));
  EXPECT_THAT(repeated("a", "()", 100'000), ElementsAre("expression-too-long"));
  EXPECT_THAT(repeated("a", " when b else c", 50'000), ElementsAre("expression-too-long"));
  EXPECT_THAT(repeated("", "- ", 100'000), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(repeated("", "not (", 100'000), ElementsAre("nesting-too-deep"));
  EXPECT_THAT(repeated("", "[", 100'000), ElementsAre("nesting-too-deep"));
}

TEST(Mistakes, NoiseIsRefusedQuickly) {
  std::mt19937 random(11);
  std::string noise(1'000'000, ' ');
  for (char& c : noise) c = static_cast<char>(random() % 127 + 1);
  const auto begin = std::chrono::steady_clock::now();
  const Parsed parsed = parse(noise);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(parsed.diagnostics.has_errors());
  EXPECT_LT(parsed.diagnostics.errors(), 150u);
  EXPECT_LT(took.count(), 5.0);  // far less, but sanitizers and busy machines are slow
}

// ---- diagnostics ----------------------------------------------------------------------------------------------------

TEST(Rendering, CaretsStandUnderWideCharacters) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("spec.wend", "a \"한국\" b\n\te\u0301 x\nlast");
  diagnostics.report(Kind::stray_character, {file, 11, 12}, "here");
  diagnostics.report(Kind::stray_character, {file, 18, 19}, "here");
  EXPECT_EQ(render_text(diagnostics, sources, false),
            "spec.wend:1:8: error: here [stray-character]\n    1 | a \"한국\" b\n      |          ^\n"
            "spec.wend:2:5: error: here [stray-character]\n    2 |     e\u0301 x\n      |       ^\n");
}

TEST(Rendering, SpansOverLinesShowTheFirstAndTheLast) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("spec.wend", "f(\n  a,\n  b)\n");
  Diagnostic& reported = diagnostics.report(Kind::bad_clause, {file, 0, 12}, "too long");
  reported.label = Label{{file, 5, 6}, "this one"};
  reported.help = "shorten it";
  EXPECT_EQ(
      render_text(diagnostics, sources, false),
      "spec.wend:1:1: error: too long [bad-clause]\n    1 | f(\n      | ^^\n      | ...\n    3 |   b)\n      |   ^^\n"
      "    2 |   a,\n      |   ^ this one\n  help: shorten it\n");
}

TEST(Rendering, LongLinesAreCutAroundThePlace) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("spec.wend", std::string(5000, 'x') + "!" + std::string(5000, 'y'));
  diagnostics.report(Kind::stray_character, {file, 5000, 5001}, "here");
  const std::string text = render_text(diagnostics, sources, false);
  EXPECT_LT(text.size(), 600u);
  std::istringstream lines(text);
  std::string heading, source, carets;
  std::getline(lines, heading), std::getline(lines, source), std::getline(lines, carets);
  EXPECT_EQ(source.find('!'), carets.find('^'));
}

TEST(Rendering, SortedByPlaceAndOncePerMistake) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("spec.wend", "a b");
  diagnostics.report(Kind::stray_character, {file, 2, 3}, "second");
  diagnostics.report(Kind::stray_character, {file, 0, 1}, "first");
  diagnostics.report(Kind::stray_character, {file, 2, 3}, "second");
  EXPECT_EQ(diagnostics.errors(), 2u);
  const std::string text = render_text(diagnostics, sources, false);
  EXPECT_LT(text.find("first"), text.find("second"));
  EXPECT_THAT(render_text(diagnostics, sources, true), HasSubstr("\x1b[1;31merror: \x1b[0m"));
}

TEST(Rendering, JsonIsJsonWhateverTheFileHolds) {
  SourceSet sources;
  Diagnostics diagnostics;
  const uint32_t file = sources.add("a\"b.wend", "x\xff");
  diagnostics.report(Kind::not_utf8, {file, 1, 2}, "not \"text\": \xff").help = "save it";
  EXPECT_THAT(render_json(diagnostics, sources),
              testing::AllOf(HasSubstr(R"("kind": "not-utf8")"), HasSubstr(R"("severity": "error")"),
                             HasSubstr(R"("file": "a\"b.wend")"), HasSubstr(R"("line": 1)"),
                             HasSubstr(R"("column": 2)"), HasSubstr(R"("help": "save it")")));
  EXPECT_EQ(render_json(Diagnostics(), sources), "[]\n");
}

TEST(Kinds, HaveUniqueNamesAndExplanations) {
  for (const Kind kind : all_kinds()) {
    EXPECT_EQ(kind_named(info(kind).name), kind);
    EXPECT_GT(info(kind).explanation.size(), 30u) << info(kind).name;
    EXPECT_FALSE(info(kind).explanation.starts_with('\n'));
  }
  EXPECT_FALSE(kind_named("no-such-kind"));
}

TEST(Nearest, FindsSlipsAndNothingElse) {
  EXPECT_EQ(nearest("call", {"calls", "turns"}), "calls");
  EXPECT_EQ(nearest("trasnform", {"transform"}), "transform");
  EXPECT_EQ(nearest("jga", {"JGA"}), "JGA");
  EXPECT_EQ(nearest("x", {"y", "z"}), "");
  EXPECT_EQ(nearest("alpha", {"gamma"}), "");
  EXPECT_EQ(nearest("calls", {"calls"}), "");
}

// ---- formatter ------------------------------------------------------------------------------------------------------

std::string formatted(const std::string& text) {
  const Parsed parsed = parse(text);
  EXPECT_THAT(parsed.kinds(), IsEmpty()) << text;
  return format_module(parsed.sources, 0);
}

// Formatting changes nothing but the layout, and what is formatted stays as it is.
void expect_stable(const std::string& text, const std::string& where) {
  const std::string once = formatted(text);
  const Parsed before = parse(text), after = parse(once);
  ASSERT_THAT(after.kinds(), IsEmpty()) << where << "\n" << once;
  EXPECT_TRUE(same_meaning(*before.module, *after.module)) << where << "\n" << once;
  const std::string twice = formatted(once);
  EXPECT_TRUE(twice == once) << where << "\n--- once\n" << once << "\n--- twice\n" << twice;
}

TEST(Format, ChangesOnlyTheLayoutOfEverySpec) {
  const auto paths = samples();
  EXPECT_GE(paths.size(), 4u);
  for (const auto& path : paths) expect_stable(read(path), path.string());
}

TEST(Format, IsTheSameHoweverTheSpecWasWritten) {
  // White space between tokens, other than line ends that mean something to comments, has no say.
  std::mt19937 random(5);
  for (const auto& path : samples()) {
    const std::string text = read(path);
    if (text.find("//") != text.npos || text.find("\"\"\"") != text.npos) continue;
    std::string spread;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
      spread += text[i];
      if (!quoted && text[i] == ' ') spread.append(random() % 4, ' ');
    }
    EXPECT_EQ(formatted(spread), formatted(text)) << path;
  }
}

TEST(Format, LinesUpNamesAndBreaksLongFolds) {
  EXPECT_EQ(formatted("module m\nparam a : real=1 in 0 ..2\nparam long_name:real = 2.5 in 0.. 10\n"
                      "reward r on t:Trace{layer b*a supervises x,y{x=1\nlong=-0.5*count(d in t)\n"
                      "jga = sum(scale * count(hit in u) / max(count(u.calls), count(u.gold.calls)) else 0 for u in "
                      "t.turns) cap 5.0\n"
                      "}clamp -4..8}"),
            "module m\n\n"
            "param a         : real = 1   in 0 .. 2\n"
            "param long_name : real = 2.5 in 0 .. 10\n\n"
            "reward r on t: Trace {\n"
            "  layer b * a supervises x, y {\n"
            "    x    = 1\n"
            "    long = -0.5 * count(d in t)\n"
            "    jga  = sum(\n"
            "      scale * count(hit in u) / max(count(u.calls), count(u.gold.calls)) else 0\n"
            "      for u in t.turns\n"
            "    ) cap 5.0\n"
            "  }\n"
            "  clamp -4 .. 8\n"
            "}\n");
}

TEST(Format, KeepsEveryComment) {
  const std::string text =
      "// license\n\nmodule m // name\n// about f\n/// doc of f\nfn f() = 1 + // one\n  2 /// no doc\n// last of "
      "f\n\n\n"
      "reward r on t: Trace { // head\n  // inside\n  layer x { a = 1 // term\n  // end of layer\n } // after\n} // "
      "tail\n// end";
  const std::string out = formatted(text);
  for (const char* comment : {"// license", "// name", "// about f", "/// doc of f", "// one", "no doc", "// last of f",
                              "// head", "// inside", "// term", "// end of layer", "// after", "// tail", "// end"}) {
    EXPECT_THAT(out, HasSubstr(comment));
  }
  expect_stable(text, "comments");
}

TEST(Format, RandomCommentsAndLineEndsChangeNothing) {
  std::mt19937 random(3);
  for (const auto& path : samples()) {
    const std::string text = read(path);
    if (text.find("\"\"\"") != text.npos) continue;
    for (int round = 0; round < 5; ++round) {
      std::string spread;
      bool quoted = false, comment = false;
      for (size_t i = 0; i < text.size(); ++i) {
        if (!comment && text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
        if (!quoted && text.compare(i, 2, "//") == 0) comment = true;
        if (text[i] == '\n') comment = false;
        spread += text[i];
        if (quoted || comment || text[i] != ' ') continue;
        const uint32_t choice = random() % 12;
        if (choice == 0) spread += "// c" + std::to_string(i) + "\n";
        if (choice == 1) spread += "\n\n";
        if (choice == 2) spread += "\n// own line\n";
      }
      if (!parse(spread).kinds().empty()) continue;  // a line now begins like a declaration
      expect_stable(spread, path.string());
    }
  }
}

}  // namespace
}  // namespace wend
