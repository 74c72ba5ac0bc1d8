// Renders: straight code over merged constant text.
#include <utility>

#include <fmt/format.h>

#include "compiler/plan/builder.h"
#include "compiler/plan/template.h"

namespace wend::plan {

using sema::Base;
using sema::Expr;
using sema::FoldKind;
using SOp = sema::Op;

namespace {

// A text inside quotes of JSON inside XML.
std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\b')
      out += "\\b";
    else if (c == '\f')
      out += "\\f";
    else if (byte < 0x20 || c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out;
}

bool is_marker(const Instruction& i) {
  return i.kind == Instruction::Kind::put && (i.put == Put::block_begin || i.put == Put::block_end);
}

bool is_literal(const Expr& e) {
  return e.op == SOp::boolean || e.op == SOp::integer || e.op == SOp::real ||
         (e.op == SOp::negate && is_literal(e.children[0]));
}

}  // namespace

// ---- instructions ----

void Builder::put(Put put, std::vector<NodeId> args, Instructions& out) {
  Instruction i;
  i.kind = Instruction::Kind::put;
  i.put = put;
  i.args = std::move(args);
  i.integer = limited_;
  i.source = current_place_;
  out.push_back(std::move(i));
}

// Joined to the constant before, over the marks of sub-blocks between the two.
void Builder::put_constant(const std::string& text, Instructions& out) {
  size_t at = out.size();
  while (at > 0 && is_marker(out[at - 1])) --at;
  if (at > 0 && out[at - 1].kind == Instruction::Kind::put && out[at - 1].put == Put::constant) {
    constants_[static_cast<size_t>(out[at - 1].integer)] += text;
    for (size_t i = at; i < out.size(); ++i) out[i].second += static_cast<int64_t>(text.size());
    return;
  }
  put(Put::constant, {}, out);
  out.back().integer = static_cast<int64_t>(constants_.size());
  constants_.push_back(text);
}

void Builder::mark(Put mark, int64_t block, Instructions& out) {
  put(mark, {}, out);
  out.back().integer = block;
  out.back().second = 0;
}

void Builder::settle_constants(Instructions& all) {
  for (Instruction& i : all) {
    if (i.kind == Instruction::Kind::put && (i.put == Put::constant || i.put == Put::separator))
      i.integer = string_index(constants_[static_cast<size_t>(i.integer)]);
    settle_constants(i.body);
    settle_constants(i.otherwise);
  }
}

void Builder::put_branches(NodeId condition, const std::function<void(Instructions&)>& yes,
                           const std::function<void(Instructions&)>& no, Instructions& out) {
  Instruction branch;
  branch.kind = Instruction::Kind::when;
  branch.args = {condition};
  branch.source = current_place_;
  yes(branch.body);
  no(branch.otherwise);
  out.push_back(std::move(branch));
}

// ---- lists ----

// Elements with `between` between them. `loops` runs through them; for each it asks where its part goes.
void Builder::put_elements(const std::function<NodeId()>& count, const std::string& between, Instructions& out,
                           const std::function<void(const Opener& open)>& loops) {
  NodeId written = let(integer(0), out), seen = kNoNode, left_out = kNoNode;
  if (limited_ >= 0) {
    left_out = variable(procedure_variable(), Type::integer);
    put(Put::left_out, {count()}, out);
    out.back().variable = node(left_out).integer;
    seen = let(integer(0), out);
  }
  const auto separated = [&](Instructions& body, const std::function<void(Instructions&)>& element) {
    put(Put::separator, {}, body);
    body.back().variable = node(written).integer;
    body.back().integer = static_cast<int64_t>(constants_.size());
    constants_.push_back(between);
    element(body);
  };
  loops([&](Instructions& body, const std::function<void(Instructions&)>& element) {
    if (limited_ < 0) return separated(body, element);
    Instruction kept;
    kept.kind = Instruction::Kind::when;
    kept.args = {make(Op::greater_equal, Type::boolean, {seen, left_out})};
    separated(kept.body, element);
    body.push_back(std::move(kept));
    set(seen, make(Op::add, Type::integer, {seen, integer(1)}), body);
  });
}

// What stands between the brackets of an object or an array.
void Builder::put_members(const Expr& e, Bindings& b, Instructions& out) {
  const bool object = e.op == SOp::object;
  const auto member = [&](size_t i, Bindings& in, Instructions& into) {
    if (object) {
      const int64_t limit = std::exchange(limited_, -1);  // keys are whole
      put_json(e.children[i], in, into);
      limited_ = limit;
      put_constant(":", into);
      ++i;
    }
    put_json(e.children[i], in, into);
  };
  if (e.loops.empty()) {
    for (size_t i = 0; i < e.children.size(); i += object ? 2 : 1) {
      if (i > 0) put_constant(",", out);
      member(i, b, out);
    }
    return;
  }
  const auto count = [&] {
    return fold_clauses(e, 0, b, {}, FoldKind::count, [](Bindings&, const Item&) { return Part(); });
  };
  put_elements(count, ",", out, [&](const Opener& open) {
    for_each_of(e, 0, b, out, [&](Bindings& inner, Instructions& body) {
      open(body, [&](Instructions& into) { member(0, inner, into); });
    });
  });
}

// A list that is not made here: all of it is shown. The texts in it are limited, except that keys are whole, so that no
// stale flag is lost.
void Builder::put_list(const Expr& list, const std::string& between, Bindings& b, Instructions& out, const Emit& emit) {
  const int64_t limit = std::exchange(limited_, -1);
  put_elements(nullptr, between, out, [&](const Opener& open) {
    for_each(list, b, out, [&](NodeId element, Instructions& body) {
      open(body, [&](Instructions& into) {
        limited_ = list.op == SOp::keys ? -1 : limit;
        emit(element, into);
        limited_ = -1;
      });
    });
  });
  limited_ = limit;
}

// A text with its quotes. One with holes is cut as a whole, one that stands in the spec only if it is long.
void Builder::put_string(const Expr& e, Bindings& b, Instructions& out) {
  constexpr size_t kShortestLimit = 60;  // docs/belief.md, "The block"
  const bool limits = limited_ >= 0 && (e.op == SOp::fill || (e.op == SOp::text && e.text.size() > kShortestLimit));
  const int64_t limit = std::exchange(limited_, -1);
  const int64_t begin = limits ? procedure_variable() : -1;
  const auto mark_text = [&](Put end) {
    if (!limits) return;
    put(end, {}, out);
    out.back().variable = begin;
    out.back().integer = limit;
  };
  put_constant("\"", out);
  mark_text(Put::text_begin);
  put_inside(e, b, out);
  mark_text(Put::text_end);
  put_constant("\"", out);
  limited_ = limit;
}

// ---- values ----

void Builder::put_json(const Expr& e, Bindings& b, Instructions& out) {
  const uint32_t outer = current_place_;
  current_place_ = place(e.span);
  put_json_of(e, b, out);
  current_place_ = outer;
}

void Builder::put_json_of(const Expr& e, Bindings& b, Instructions& out) {
  switch (e.op) {
    case SOp::object:
      put_constant("{", out);
      put_members(e, b, out);
      return put_constant("}", out);
    case SOp::array:
    case SOp::comprehension:
      put_constant("[", out);
      put_members(e, b, out);
      return put_constant("]", out);
    case SOp::absent:
      return put_constant("null", out);
    case SOp::text:
    case SOp::fill:
    case SOp::label_name:
      return put_string(e, b, out);
    case SOp::excerpt:
      return put(Put::quoted, {lower(e.children[0], b), lower(e.children[1], b)}, out);
    case SOp::choose:
      return put_branches(
          lower(e.children[0], b), [&](Instructions& yes) { put_json(e.children[1], b, yes); },
          [&](Instructions& no) { put_json(e.children[2], b, no); }, out);
    case SOp::coalesce:
      return put_branches(
          exists(lower(e.children[0], b)), [&](Instructions& yes) { put_json(e.children[0], b, yes); },
          [&](Instructions& no) { put_json(e.children[1], b, no); }, out);
    case SOp::call: {
      Bindings inner = bound_parameters(e, b);
      return put_json(program_.functions[e.index].body[0], inner, out);
    }
    default:
      break;
  }
  if (is_literal(e)) return put_constant(json_of(e), out);
  if (e.type.base == Base::list) {
    put_constant("[", out);
    put_list(e, ",", b, out, [&](NodeId element, Instructions& into) { put_scalar(element, false, into); });
    return put_constant("]", out);
  }
  put_scalar(coerced(e, b), e.type.optional, out);
}

void Builder::put_scalar(NodeId value, bool optional, Instructions& out) {
  switch (node(value).type) {
    case Type::symbol:
      return put(Put::quoted, {value}, out);
    case Type::value:
      return put(Put::json, {value}, out);
    case Type::boolean:
      return put(Put::boolean, {value}, out);
    default:
      break;
  }
  const Put number = node(value).type == Type::real ? Put::real : Put::integer;
  if (!optional) return put(number, {value}, out);
  put_branches(
      exists(value), [&](Instructions& yes) { put(number, {value}, yes); },
      [&](Instructions& no) { put_constant("null", no); }, out);
}

// A text, or what fills a hole of one, between quotes that are there.
void Builder::put_inside(const Expr& e, Bindings& b, Instructions& out) {
  switch (e.op) {
    case SOp::text:
      return put_constant(escaped(e.text), out);
    case SOp::fill:
      for (const TemplatePart& part : parts_of(e.text, e.children.size())) {
        if (part.hole < 0)
          put_constant(escaped(part.text), out);
        else
          put_inside(e.children[static_cast<size_t>(part.hole)], b, out);
      }
      return;
    case SOp::label_name:
      return put_label(lower(e.children[0], b), program_.enums[e.children[0].type.enumeration].labels, 0, out);
    case SOp::excerpt: {
      NodeId text = lower(e.children[0], b), length = lower(e.children[1], b);
      return put_branches(
          exists(text), [&](Instructions& yes) { put(Put::text, {text, length}, yes); }, [](Instructions&) {}, out);
    }
    case SOp::choose:
      if (e.type.base == Base::list) break;
      return put_branches(
          lower(e.children[0], b), [&](Instructions& yes) { put_inside(e.children[1], b, yes); },
          [&](Instructions& no) { put_inside(e.children[2], b, no); }, out);
    case SOp::coalesce:
      return put_branches(
          exists(lower(e.children[0], b)), [&](Instructions& yes) { put_inside(e.children[0], b, yes); },
          [&](Instructions& no) { put_inside(e.children[1], b, no); }, out);
    case SOp::call: {
      if (e.type.base == Base::list) break;
      Bindings inner = bound_parameters(e, b);
      return put_inside(program_.functions[e.index].body[0], inner, out);
    }
    default:
      break;
  }
  if (is_literal(e)) return put_constant(json_of(e), out);
  if (e.type.base == Base::list)
    return put_list(e, ", ", b, out, [&](NodeId element, Instructions& into) { put_inside(element, false, into); });
  put_inside(coerced(e, b), e.type.optional, out);
}

void Builder::put_inside(NodeId value, bool optional, Instructions& out) {
  if (optional)
    return put_branches(
        exists(value), [&](Instructions& yes) { put_inside(value, false, yes); }, [](Instructions&) {}, out);
  switch (node(value).type) {
    case Type::symbol:
      return put(Put::text, {value}, out);
    case Type::value:
      return put(Put::value_text, {value}, out);
    case Type::boolean:
      return put(Put::boolean, {value}, out);
    case Type::real:
      return put(Put::real, {value}, out);
    default:
      return put(Put::integer, {value}, out);
  }
}

void Builder::put_label(NodeId label, const std::vector<std::string>& labels, size_t from, Instructions& out) {
  if (from + 1 == labels.size()) return put_constant(escaped(labels[from]), out);
  NodeId is = make(Op::equal, Type::boolean, {label, integer(static_cast<int64_t>(from))});
  put_branches(
      is, [&](Instructions& yes) { put_constant(escaped(labels[from]), yes); },
      [&](Instructions& no) { put_label(label, labels, from + 1, no); }, out);
}

// ---- declarations ----

Render Builder::lower_render(const sema::Render& render) {
  Render out;
  out.name = render.name;
  out.module = render.module;
  out.doc = render.doc;
  out.place = sources_.place(render.span);
  out.belief = render.belief;
  out.xml = render.xml;
  out.budget = render.budget;
  out.tokens = render.tokens;
  next_variable_ = 2;
  constants_.clear();
  Bindings b;
  b[render.subject] = {};
  const std::string tag = tag_of(render.name);
  put_constant(render.xml ? "<" + tag + ">\n" : "{", out.body);
  for (size_t i = 0; i < render.blocks.size(); ++i) {
    const sema::RenderBlock& block = render.blocks[i];
    out.blocks.push_back({block.name, render.budget == 0 ? -1 : block.order});
    limited_ = out.blocks.back().order < 0 ? -1 : static_cast<int64_t>(i);
    if (!render.xml && i > 0) put_constant(",", out.body);
    mark(Put::block_begin, static_cast<int64_t>(i), out.body);
    put_constant(render.xml ? "<" + block.name + ">" : "\"" + block.name + "\":", out.body);
    put_json(block.value, b, out.body);
    if (render.xml) put_constant("</" + block.name + ">", out.body);
    mark(Put::block_end, static_cast<int64_t>(i), out.body);
    if (render.xml) put_constant("\n", out.body);
  }
  limited_ = -1;
  put_constant(render.xml ? "</" + tag + ">" : "}", out.body);
  settle_constants(out.body);
  return out;
}

}  // namespace wend::plan
