// belief, cues, render, scenario, phrases, filter and context in a dump.
#include "compiler/syntax/dump_writer.h"

namespace wend::syntax {
namespace {

std::string_view name_of(ast::FieldKind kind) {
  static constexpr std::string_view names[] = {"slots", "goal", "stack", "last", "queue", "objects", "value"};
  return names[static_cast<size_t>(kind)];
}

std::string_view name_of(ast::StatementKind kind) {
  static constexpr std::string_view names[] = {"assign", "when",    "overwrite", "push",  "pop", "suspend",
                                               "resume", "confirm", "unconfirm", "clear", "call"};
  return names[static_cast<size_t>(kind)];
}

std::string_view name_of(ast::BindingKind kind) {
  static constexpr std::string_view names[] = {"one-of", "fresh-value", "value"};
  return names[static_cast<size_t>(kind)];
}

std::string_view name_of(ast::ContextKind kind) {
  static constexpr std::string_view names[] = {"history-all",  "history-none", "history-current-turn",
                                               "history-last", "draft",        "render",
                                               "inject",       "update",       "instruct",
                                               "carry",        "compress"};
  return names[static_cast<size_t>(kind)];
}

std::string_view name_of(ast::StepKind kind) {
  static constexpr std::string_view names[] = {"system", "user", "call", "result", "reply"};
  return names[static_cast<size_t>(kind)];
}

}  // namespace

void DumpWriter::body(const ast::BeliefDecl& d) {
  for (const ast::BeliefField& field : d.fields) {
    line(name_of(field.kind), [&] {
      name(field.name);
      doc(field.doc);
      if (field.type) type(*field.type);
      exprs("default", field.default_value);
    });
  }
  for (const ast::Handler& handler : d.handlers) {
    line("on", [&] {
      name(handler.event);
      name(handler.variable);
      statements("", handler.body);
    });
  }
}

void DumpWriter::statements(std::string_view head, const std::vector<ast::Statement>& list_of) {
  const auto all = [&] {
    for (const ast::Statement& statement : list_of) {
      line(name_of(statement.kind), [&] {
        for (const ast::Expr& operand : statement.operands) expr(operand);
        exprs("fallback", statement.fallback);
        exprs("if", statement.condition);
        statements("then", statement.body);
        statements("else", statement.otherwise);
      });
    }
  };
  if (head.empty()) return all();
  if (!list_of.empty()) line(head, all);
}

void DumpWriter::body(const ast::CuesDecl& d) {
  name(d.labels);
  for (const ast::CueEntry& entry : d.entries) {
    line("cue", [&] {
      name(entry.label);
      for (const ast::Expr& phrase : entry.phrases) expr(phrase);
      exprs("weight", entry.weight);
    });
  }
}

void DumpWriter::body(const ast::RenderDecl& d) {
  parameter("of", d.subject);
  name(d.format);
  exprs(d.tokens ? "tokens" : "bytes", d.budget);
  if (!d.shortening.empty()) {
    line("shortening", [&] {
      for (const ast::Name& block : d.shortening) name(block);
    });
  }
  for (const ast::RenderBlock& block : d.blocks) {
    line("block", [&] {
      name(block.name);
      doc(block.doc);
      expr(block.value);
    });
  }
}

void DumpWriter::binding(const ast::Binding& binding) {
  line(name_of(binding.kind), [&] {
    name(binding.name);
    expr(binding.source);
    exprs("if", binding.conditions);
  });
}

void DumpWriter::point(const ast::InjectPoint& point) {
  list(point.after ? "after" : "before", [&] {
    name(point.event);
    for (const ast::Expr& subject : point.subject) expr(subject);
  });
}

void DumpWriter::change(const ast::CallChange& change) {
  list("call", [&] {
    expr(change.call);
    for (const auto& [param, value] : change.changes) {
      list("with", [&, &param = param, &value = value] {
        name(param);
        expr(value);
      });
    }
  });
}

void DumpWriter::inject(const ast::Inject& inject) {
  line("inject", [&] {
    point(inject.point);
    for (const ast::ScenarioStep& step : inject.steps) {
      line(name_of(step.kind), [&] {
        for (const ast::Expr& text : step.text) expr(text);
        for (const ast::CallChange& call : step.calls) change(call);
      });
    }
    for (const ast::Binding& one : inject.where) binding(one);
  });
}

void DumpWriter::scenario_gold(const ast::ScenarioGold& gold) {
  line("gold", [&] {
    optional("signal", gold.signal);
    optional("kind", gold.kind);
    for (const ast::CallChange& call : gold.calls) change(call);
    exprs("calls", gold.calls_of);
    for (const ast::StaleChange& stale : gold.stale) {
      list("stale", [&] {
        expr(stale.slot);
        expr(stale.value);
      });
    }
    exprs("missing", gold.missing);
    names("abandon", gold.abandon);
    exprs("reference", gold.reference);
  });
}

void DumpWriter::body(const ast::ScenarioDecl& d) {
  if (!d.family.text.empty()) list("in", [&] { name(d.family); });
  quoted(d.title);
  line("from", [&] {
    name(d.base);
    names("with", d.base_with);
  });
  for (const ast::Binding& one : d.bindings) binding(one);
  for (const auto& step : d.changes) {
    if (const auto* injected = std::get_if<ast::Inject>(&step)) {
      inject(*injected);
      continue;
    }
    const auto& splice = std::get<ast::Splice>(step);
    line("splice", [&] {
      for (const ast::Name& one : splice.words) name(one);
      point(splice.point);
    });
  }
  if (d.gold) scenario_gold(*d.gold);
  for (const ast::Expr& requirement : d.requirements) line("require", [&] { expr(requirement); });
  optional("primary", d.primary);
  exprs("share", d.share);
}

void DumpWriter::body(const ast::PhrasesDecl& d) {
  for (const ast::Parameter& one : d.parameters) parameter("parameter", one);
  for (const ast::Expr& variant : d.variants) line("phrase", [&] { expr(variant); });
}

void DumpWriter::body(const ast::FilterDecl& d) {
  for (const ast::FilterRule& filter_rule : d.rules) {
    line(filter_rule.variable.text.empty() ? "require" : "every", [&] {
      if (!filter_rule.variable.text.empty()) name(filter_rule.variable);
      for (const ast::Expr& source : filter_rule.source) expr(source);
      for (const ast::FilterCheck& check : filter_rule.checks) {
        list("check", [&] {
          expr(check.condition);
          optional("repair", check.repair);
        });
      }
    });
  }
}

void DumpWriter::body(const ast::ContextDecl& d) {
  for (const ast::Parameter& one : d.parameters) parameter("parameter", one);
  for (const ast::ContextStep& step : d.steps) {
    line(name_of(step.kind), [&] {
      if (!step.subject.text.empty()) name(step.subject);
      if (!step.by.text.empty()) name(step.by);
      exprs("text", step.text);
      exprs("amount", step.amount);
      exprs("if", step.condition);
    });
  }
}

}  // namespace wend::syntax
