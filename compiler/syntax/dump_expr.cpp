// Expressions, types and names in a dump.
#include <fmt/format.h>

#include "compiler/syntax/dump.h"
#include "compiler/syntax/dump_writer.h"

namespace wend::syntax {
namespace {

using ast::BinaryOp;
using ast::ExprKind;

std::string_view name_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::add:
      return "+";
    case BinaryOp::subtract:
      return "-";
    case BinaryOp::multiply:
      return "*";
    case BinaryOp::divide:
      return "/";
    case BinaryOp::equal:
      return "==";
    case BinaryOp::not_equal:
      return "!=";
    case BinaryOp::less:
      return "<";
    case BinaryOp::less_equal:
      return "<=";
    case BinaryOp::greater:
      return ">";
    case BinaryOp::greater_equal:
      return ">=";
    case BinaryOp::logical_and:
      return "and";
    case BinaryOp::logical_or:
      return "or";
    case BinaryOp::in:
      return "in";
    case BinaryOp::not_in:
      return "not-in";
    case BinaryOp::is:
      return "is";
    case BinaryOp::is_not:
      return "is-not";
    case BinaryOp::has:
      return "has";
    case BinaryOp::has_not:
      return "has-not";
    case BinaryOp::coalesce:
      return "??";
    case BinaryOp::except:
      return "except";
    case BinaryOp::mentioned_in:
      return "mentioned-in";
  }
  return "?";
}

std::string_view name_of(ast::UnaryOp op) {
  switch (op) {
    case ast::UnaryOp::negate:
      return "neg";
    case ast::UnaryOp::logical_not:
      return "not";
    case ast::UnaryOp::exists:
      return "exists";
    case ast::UnaryOp::nonempty:
      return "nonempty";
  }
  return "?";
}

std::string_view head_of(const ast::Expr& e) {
  switch (e.kind) {
    case ExprKind::index:
      return "index";
    case ExprKind::call:
      return "call";
    case ExprKind::unary:
      return name_of(e.unary);
    case ExprKind::binary:
      return name_of(e.binary);
    case ExprKind::guard:
      return "guard";
    case ExprKind::choose:
      return "choose";
    case ExprKind::cap:
      return "cap";
    case ExprKind::tier:
      return "tier";
    case ExprKind::list:
      return "list";
    case ExprKind::range:
      return "range";
    case ExprKind::stale:
      return "stale";
    default:
      return "?";
  }
}

}  // namespace

void DumpWriter::quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  word(result + "\"");
}

// Names are written plain, whatever else was quoted in the source as a text.
void DumpWriter::name(const ast::Name& name) {
  const bool plain = !name.text.empty() && name.text.find_first_of(" \"()\n") == std::string::npos;
  plain ? word(name.text) : quoted(name.text);
}

void DumpWriter::names(std::string_view head, const std::vector<ast::Name>& names) {
  if (names.empty()) return;
  list(head, [&] {
    for (const ast::Name& one : names) name(one);
  });
}

void DumpWriter::optional(std::string_view head, const std::optional<ast::Name>& value) {
  if (value) list(head, [&] { name(*value); });
}

void DumpWriter::doc(const ast::Doc& doc) {
  if (!doc.text.empty()) list("doc", [&] { quoted(doc.text); });
}

void DumpWriter::exprs(std::string_view head, const std::vector<ast::Expr>& exprs) {
  if (exprs.empty()) return;
  list(head, [&] {
    for (const ast::Expr& e : exprs) expr(e);
  });
}

void DumpWriter::expr(const ast::Expr& e) {
  switch (e.kind) {
    case ExprKind::integer:
      word(e.integer_overflow ? e.text : std::to_string(e.integer));
      return;
    case ExprKind::real: {
      const std::string digits = fmt::format("{}", e.number);
      word(digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits);
      return;
    }
    case ExprKind::percent:
      list("percent", [&] { word(fmt::format("{}", e.number)); });
      return;
    case ExprKind::text:
      quoted(e.text);
      return;
    case ExprKind::boolean:
      word(e.integer ? "true" : "false");
      return;
    case ExprKind::none:
      word("none");
      return;
    case ExprKind::name:
      word(e.text);
      return;
    case ExprKind::field:
      list(".", [&] {
        expr(e.children[0]);
        word(e.text);
      });
      return;
    case ExprKind::fold:
      list("fold", [&] {
        word(e.text);
        if (e.distinct) word("distinct");
        for (const ast::Expr& body : e.children) expr(body);
        clauses(e.clauses);
      });
      return;
    case ExprKind::object:
      list("object", [&] {
        for (size_t i = 0; i < e.children.size(); ++i) {
          list("", [&] {
            quoted(e.keys[i].text);
            expr(e.children[i]);
          });
        }
        clauses(e.clauses);
      });
      return;
    default:
      operator_node(e);
  }
}

void DumpWriter::operator_node(const ast::Expr& e) {
  list(head_of(e), [&] {
    if (e.distinct) word("distinct");
    for (const ast::Expr& child : e.children) expr(child);
    clauses(e.clauses);
    arms(e.arms);
  });
}

void DumpWriter::clauses(const std::vector<ast::Clause>& clauses) {
  for (const ast::Clause& clause : clauses) {
    list("for", [&] {
      name(clause.variable);
      if (!clause.index.text.empty()) name(clause.index);
      for (const ast::Expr& source : clause.source) expr(source);
      for (const ast::Expr& condition : clause.conditions) list("if", [&] { expr(condition); });
    });
  }
}

void DumpWriter::arms(const std::vector<ast::TierArm>& arms) {
  for (const ast::TierArm& arm : arms) {
    list(arm.is_else ? "else"
         : arm.exact ? "exactly"
                     : "arm",
         [&] {
           exprs("from", arm.from);
           exprs("to", arm.to);
           for (const ast::Expr& value : arm.value) expr(value);
         });
  }
}

void DumpWriter::type(const ast::TypeRef& type_ref) {
  list("type", [&] {
    name(type_ref.name);
    for (const ast::TypeRef& argument : type_ref.arguments) type(argument);
    if (type_ref.optional) word("optional");
    if (type_ref.low.empty()) return;
    list("range", [&] {
      expr(type_ref.low[0]);
      expr(type_ref.high[0]);
    });
  });
}

void DumpWriter::parameter(std::string_view head, const ast::Parameter& parameter) {
  list(head, [&] {
    name(parameter.name);
    if (!parameter.type.name.text.empty()) type(parameter.type);
    exprs("default", parameter.default_value);
  });
}

void DumpWriter::call(const ast::CallLiteral& call) {
  list("call", [&] {
    name(call.tool);
    for (size_t i = 0; i < call.names.size(); ++i) {
      list("", [&] {
        quoted(call.names[i].text);
        expr(call.values[i]);
      });
    }
  });
}

}  // namespace wend::syntax

namespace wend {

std::string dump(const ast::Expr& expr) {
  syntax::DumpWriter writer;
  writer.expr(expr);
  return writer.take();
}

std::string dump(const ast::Module& module) {
  std::string out;
  if (module.edition) out += "(edition " + std::to_string(*module.edition) + ")\n";
  out += "(module " + module.name.text + ")\n";
  for (const ast::Use& use : module.uses) out += "(use " + use.module.text + ")\n";
  for (const ast::Declaration& declaration : module.declarations) {
    syntax::DumpWriter writer;
    writer.declaration(declaration);
    out += writer.take() + "\n";
  }
  return out;
}

bool same_meaning(const ast::Module& a, const ast::Module& b) { return dump(a) == dump(b); }

}  // namespace wend
