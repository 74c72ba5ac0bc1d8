#include "compiler/driver/evidence.h"

#include <fmt/format.h>

#include "compiler/driver/dialogue.h"

namespace wend::driver {
namespace {

constexpr size_t kLongestText = 160;

uint32_t turn_number(const Batch& batch, uint32_t turn) {
  return turn == WEND_NONE ? 0 : batch.columns().turn_number[turn];
}

Place of_turn(const Batch& batch, uint32_t turn) {
  const Columns& c = batch.columns();
  Place place;
  place.turn = turn_number(batch, turn);
  const uint32_t user = turn == WEND_NONE ? WEND_NONE : c.turn_user[turn];
  if (user != WEND_NONE) place.text = shortened(batch.text(c.message_text[user]), kLongestText);
  return place;
}

Place of_call(const Batch& batch, uint32_t call) {
  const Columns& c = batch.columns();
  Place place;
  place.turn = turn_number(batch, c.call_turn[call]);
  place.call = c.call_number[call] + 1;
  place.gold = c.call_gold[call] != 0;
  place.text = shortened(call_text(batch, call), kLongestText);
  return place;
}

Place of_arg(const Batch& batch, uint32_t arg) {
  const Columns& c = batch.columns();
  Place place = of_call(batch, c.arg_call[arg]);
  place.argument = batch.text(c.arg_name[arg]);
  place.text = shortened(fmt::format("{} = {}", place.argument, value_json(batch, c.arg_value[arg])), kLongestText);
  return place;
}

Place of_message(const Batch& batch, uint32_t message) {
  const Columns& c = batch.columns();
  Place place;
  place.turn = turn_number(batch, c.message_turn[message]);
  place.text = shortened(batch.text(c.message_text[message]), kLongestText);
  return place;
}

Place of_sub_block(const Batch& batch, uint32_t row) {
  const Columns& c = batch.columns();
  Place place = of_message(batch, c.draft_message[c.sub_block_draft[row]]);
  place.text = batch.text(c.sub_block_name[row]);
  return place;
}

Place of_slot(const Batch& batch, uint32_t slot) {
  const Columns& c = batch.columns();
  Place place;
  place.turn = turn_number(batch, c.slot_turn[slot]);
  place.argument = batch.text(c.slot_param[slot]);
  place.text = shortened(
      fmt::format("{}.{} = {}", batch.text(c.slot_tool[slot]), place.argument, value_json(batch, c.slot_value[slot])),
      kLongestText);
  return place;
}

Place of_chain(const Batch& batch, uint32_t chain) {
  const Columns& c = batch.columns();
  const wend_span links = c.chain_links[chain];
  Place place;
  for (uint32_t link = links.begin; link < links.end; ++link) {
    if (!place.text.empty()) place.text += " -> ";
    place.text += batch.text(c.call_name[c.link_call[link]]);
  }
  if (links.begin != links.end) place.turn = turn_number(batch, c.call_turn[c.link_call[links.begin]]);
  place.text = shortened("chain " + place.text, kLongestText);
  return place;
}

}  // namespace

std::string shortened(std::string_view text, size_t limit) {
  std::string line;
  for (char character : text) {
    const bool space = static_cast<unsigned char>(character) <= 0x20;
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : character;
  }
  if (line.size() <= limit) return line;
  size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "...";
}

std::string call_text(const Batch& batch, uint32_t call) {
  const Columns& c = batch.columns();
  std::string text(batch.text(c.call_name[call]));
  text += '(';
  if (c.call_malformed[call]) text += "arguments that could not be read";
  for (uint32_t a = c.call_args[call].begin; a < c.call_args[call].end; ++a) {
    if (a != c.call_args[call].begin) text += ", ";
    text += fmt::format("{}: {}", batch.text(c.arg_name[a]), value_json(batch, c.arg_value[a]));
  }
  return text + ')';
}

Place place_of(const Batch& batch, uint32_t table, uint32_t row) {
  switch (table) {
    case WEND_TABLE_turn:
      return of_turn(batch, row);
    case WEND_TABLE_call:
      return of_call(batch, row);
    case WEND_TABLE_arg:
      return of_arg(batch, row);
    case WEND_TABLE_message:
      return of_message(batch, row);
    case WEND_TABLE_slot:
      return of_slot(batch, row);
    case WEND_TABLE_chain:
      return of_chain(batch, row);
    case WEND_TABLE_link:
      return of_call(batch, batch.columns().link_call[row]);
    case WEND_TABLE_draft:
      return of_message(batch, batch.columns().draft_message[row]);
    case WEND_TABLE_sub_block:
      return of_sub_block(batch, row);
    case WEND_TABLE_tool: {
      Place place;
      place.text = batch.text(batch.columns().tool_name[row]);
      return place;
    }
    default:
      return {};
  }
}

std::string describe(const Place& place) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (place.turn != 0) add(fmt::format("turn {}", place.turn));
  if (place.call != 0) add(fmt::format("{}call {}", place.gold ? "gold " : "", place.call));
  if (!place.argument.empty()) add("argument " + place.argument);
  return text;
}

}  // namespace wend::driver
