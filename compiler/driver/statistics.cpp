#include "compiler/driver/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/driver/table.h"
#include "runtime/data/hash.h"
#include "runtime/text/variety.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kBytesPerToken = 4;
constexpr double kQuantiles[] = {0.5, 0.9, 1};

struct Row {
  std::string_view name, title;
  const Histogram* histogram;
};
std::vector<Row> rows_of(const Statistics& s) {
  return {{"turns", "turns per dialogue", &s.turns},
          {"calls", "calls per dialogue", &s.calls},
          {"tools", "different tools per dialogue", &s.tools},
          {"pool", "candidate tools", &s.pool},
          {"tokens", "tokens of the messages", &s.tokens}};
}

double percent(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

std::string value_text(const std::optional<double>& value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// A bar for each number, or for each of at most 30 ranges of numbers.
std::string bars(const Histogram& histogram) {
  constexpr uint64_t kMost = 30;
  constexpr double kWidth = 640, kHeight = 120;
  if (histogram.counts().empty()) return "";
  const uint64_t low = histogram.counts().begin()->first, high = histogram.counts().rbegin()->first;
  const uint64_t step = (high - low) / kMost + 1, count = (high - low) / step + 1;
  std::vector<uint64_t> heights(count, 0);
  for (const auto& [value, n] : histogram.counts()) heights[(value - low) / step] += n;
  const auto top = static_cast<double>(*std::max_element(heights.begin(), heights.end()));
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">", kWidth, kHeight + 20);
  const double width = kWidth / static_cast<double>(count);
  for (uint64_t i = 0; i < count; ++i) {
    const double height = kHeight * static_cast<double>(heights[i]) / top;
    const std::string range =
        step == 1 ? fmt::format("{}", low + i) : fmt::format("{} to {}", low + i * step, low + (i + 1) * step - 1);
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}: {}</title></rect>",
        static_cast<double>(i) * width + 1, kHeight - height, std::max(1.0, width - 2), height, range, heights[i]);
  }
  out += fmt::format("<text x=\"0\" y=\"{0}\">{1}</text><text x=\"{2}\" y=\"{0}\" text-anchor=\"end\">{3}</text></svg>",
                     kHeight + 15, low, kWidth, high);
  return out;
}

}  // namespace

void Histogram::merge(const Histogram& other) {
  for (const auto& [value, count] : other.counts_) counts_[value] += count;
}

uint64_t Histogram::count() const {
  uint64_t all = 0;
  for (const auto& [value, count] : counts_) all += count;
  return all;
}

double Histogram::mean() const {
  double sum = 0, all = 0;
  for (const auto& [value, count] : counts_) {
    sum += static_cast<double>(value) * static_cast<double>(count);
    all += static_cast<double>(count);
  }
  return all == 0 ? 0 : sum / all;
}

uint64_t Histogram::quantile(double q) const {
  const double wanted = q * static_cast<double>(count());
  double seen = 0;
  for (const auto& [value, count] : counts_) {
    seen += static_cast<double>(count);
    if (seen >= wanted) return value;
  }
  return 0;
}

void Statistics::add(const Batch& batch) {
  const Columns& c = batch.columns();
  const auto text = [&](uint32_t row) { return row == WEND_NONE ? std::string_view() : batch.text(row); };
  for (uint32_t t = 0; t < c.rows[WEND_TABLE_trace]; ++t) {
    const auto size = [](wend_span span) { return static_cast<uint64_t>(span.end - span.begin); };
    ++scenarios[{std::string(text(c.trace_family[t])), std::string(text(c.trace_scenario[t]))}];
    turns.add(size(c.trace_turns[t]));
    calls.add(size(c.trace_calls[t]));
    pool.add(size(c.trace_pool[t]));
    std::set<uint32_t> names;
    for (uint32_t call = c.trace_calls[t].begin; call < c.trace_calls[t].end; ++call) {
      names.insert(c.call_name[call]);
      ++calls_of[std::string(batch.text(c.call_name[call]))];
    }
    tools.add(names.size());
    uint64_t bytes = 0;
    for (uint32_t m = c.trace_messages[t].begin; m < c.trace_messages[t].end; ++m) {
      const std::string_view said = text(c.message_text[m]);
      bytes += said.size();
      if (c.message_role[m] != WEND_ROLE_USER || said.empty()) continue;
      ++users;
      // Equal texts of different dialogues are different messages.
      const uint64_t hash = mix_hash(hash64(said), hash64(text(c.trace_id[t]), c.message_number[m]));
      if (sample_.size() == most_ && (most_ == 0 || hash >= sample_.rbegin()->first)) continue;
      sample_.emplace(hash, said);
      if (sample_.size() > most_) sample_.erase(std::prev(sample_.end()));
    }
    tokens.add((bytes + kBytesPerToken - 1) / kBytesPerToken);
  }
}

void Statistics::merge(const Statistics& other) {
  for (const auto& [scenario, count] : other.scenarios) scenarios[scenario] += count;
  turns.merge(other.turns);
  calls.merge(other.calls);
  tools.merge(other.tools);
  pool.merge(other.pool);
  tokens.merge(other.tokens);
  users += other.users;
  for (const auto& [name, count] : other.calls_of) calls_of[name] += count;
  for (const auto& one : other.sample_) sample_.insert(one);
  while (sample_.size() > most_) sample_.erase(std::prev(sample_.end()));
}

Variety Statistics::variety() const {
  Variety out;
  out.all = users;
  out.sampled = sample_.size();
  std::vector<std::vector<std::string>> texts;
  for (const auto& [hash, said] : sample_) texts.push_back(text::words_of(said));
  for (size_t n = 1; n <= 3; ++n) out.distinct[n - 1] = text::distinct(texts, n);
  out.self_bleu = text::self_bleu(texts);
  return out;
}

namespace {

// Calls by category of the tool, the most frequent first; nothing where no tool's is known.
std::vector<std::pair<uint64_t, std::string>> by_category(const Statistics& s, const Categories& categories) {
  std::map<std::string, uint64_t> counts;
  bool known = false;
  for (const auto& [name, count] : s.calls_of) {
    const auto at = categories.find(name);
    const bool has = at != categories.end() && !at->second.empty();
    counts[has ? at->second : "-"] += count;
    known = known || has;
  }
  std::vector<std::pair<uint64_t, std::string>> out;
  if (!known) return out;
  for (const auto& [category, count] : counts) out.emplace_back(count, category);
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  return out;
}

uint64_t sum_of(const std::vector<std::pair<uint64_t, std::string>>& counts) {
  uint64_t sum = 0;
  for (const auto& [count, category] : counts) sum += count;
  return sum;
}

}  // namespace

Json statistics_json(const Statistics& s, const Categories& categories) {
  Json out;
  out["dialogues"] = s.dialogues();
  out["scenarios"] = Json::array();
  for (const auto& [name, count] : s.scenarios)
    out["scenarios"].push_back({{"family", name.first},
                                {"scenario", name.second},
                                {"dialogues", count},
                                {"percent", percent(count, s.dialogues())}});
  for (const Row& row : rows_of(s)) {
    Json counts = Json::object();
    for (const auto& [value, count] : row.histogram->counts()) counts[std::to_string(value)] = count;
    out[std::string(row.name)] = {{"mean", row.histogram->mean()},
                                  {"p50", row.histogram->quantile(0.5)},
                                  {"p90", row.histogram->quantile(0.9)},
                                  {"max", row.histogram->quantile(1)},
                                  {"counts", counts}};
  }
  if (const auto counts = by_category(s, categories); !counts.empty()) {
    out["categories"] = Json::object();
    for (const auto& [count, category] : counts) out["categories"][category] = count;
  }
  const Variety v = s.variety();
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  out["variety"] = {{"messages", v.all},
                    {"sampled", v.sampled},
                    {"distinct_1", number(v.distinct[0])},
                    {"distinct_2", number(v.distinct[1])},
                    {"distinct_3", number(v.distinct[2])},
                    {"self_bleu", number(v.self_bleu)}};
  return out;
}

namespace {

Table scenario_table(const Statistics& s) {
  Table table({false, false, true, true});
  table.row({"family", "scenario", "dialogues", "%"});
  for (const auto& [name, count] : s.scenarios)
    table.row({name.first.empty() ? "-" : name.first, name.second.empty() ? "-" : name.second, fmt::format("{}", count),
               fmt::format("{:.2f}", percent(count, s.dialogues()))});
  return table;
}

}  // namespace

std::string statistics_text(const Statistics& s, const Categories& categories) {
  Table numbers({false, true, true, true, true});
  numbers.row({"", "mean", "p50", "p90", "max"});
  for (const Row& row : rows_of(s)) {
    std::vector<std::string> cells = {std::string(row.title), fmt::format("{:.2f}", row.histogram->mean())};
    for (const double q : kQuantiles) cells.push_back(fmt::format("{}", row.histogram->quantile(q)));
    numbers.row(std::move(cells));
  }
  const Variety v = s.variety();
  std::string out = fmt::format("{} dialogues\n\n{}\n{}\n", s.dialogues(), scenario_table(s).text(), numbers.text());
  if (const auto counts = by_category(s, categories); !counts.empty()) {
    Table table({false, true, true});
    table.row({"category", "calls", "%"});
    for (const auto& [count, category] : counts)
      table.row({category, fmt::format("{}", count), fmt::format("{:.2f}", percent(count, sum_of(counts)))});
    out += table.text() + "\n";
  }
  out += fmt::format("users' messages, {} of {}: distinct-1 {}, distinct-2 {}, distinct-3 {}, self-BLEU {}\n",
                     v.sampled, v.all, value_text(v.distinct[0]), value_text(v.distinct[1]), value_text(v.distinct[2]),
                     value_text(v.self_bleu));
  if (!v.self_bleu) out += "no self-BLEU: fewer than two messages with words\n";
  return out;
}

std::string statistics_page(const Statistics& s, const Categories& categories, const std::string& title) {
  std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title) +
                    "</title>\n<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:"
                    "46rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td,th{padding:.15rem .8rem "
                    ".15rem 0;text-align:left;border-bottom:1px solid #8884}td.n{text-align:right;font-variant-numeric:"
                    "tabular-nums}svg{width:100%;height:auto}rect{fill:#4a7fb5}text{font-size:12px;fill:currentColor}"
                    "</style></head><body>\n";
  out += fmt::format(
      "<h1>{}</h1>\n<p>{} dialogues</p>\n<h2>Scenarios</h2>\n<table><tr><th>family<th>scenario<th>dialogues"
      "<th>%</tr>\n",
      escaped(title), s.dialogues());
  for (const auto& [name, count] : s.scenarios)
    out += fmt::format("<tr><td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{:.2f}</tr>\n", escaped(name.first),
                       escaped(name.second), count, percent(count, s.dialogues()));
  out += "</table>\n";
  for (const Row& row : rows_of(s)) {
    const Histogram& h = *row.histogram;
    out += fmt::format("<h2>{}</h2>\n<p>mean {:.2f}, p50 {}, p90 {}, max {}</p>\n{}\n", row.title, h.mean(),
                       h.quantile(0.5), h.quantile(0.9), h.quantile(1), bars(h));
  }
  if (const auto counts = by_category(s, categories); !counts.empty()) {
    out += "<h2>Calls by category</h2>\n<table><tr><th>category<th>calls<th>%</tr>\n";
    for (const auto& [count, category] : counts)
      out += fmt::format("<tr><td>{}<td class=\"n\">{}<td class=\"n\">{:.2f}</tr>\n", escaped(category), count,
                         percent(count, sum_of(counts)));
    out += "</table>\n";
  }
  const Variety v = s.variety();
  out += fmt::format(
      "<h2>variety of the users' messages</h2>\n<p>{} of {}: distinct-1 {}, distinct-2 {}, distinct-3 {}, "
      "self-BLEU {}</p>\n</body></html>\n",
      v.sampled, v.all, value_text(v.distinct[0]), value_text(v.distinct[1]), value_text(v.distinct[2]),
      value_text(v.self_bleu));
  return out;
}

}  // namespace wend::driver
