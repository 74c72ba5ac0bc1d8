// Core declarations and tests in a dump.
#include "compiler/syntax/dump_writer.h"

namespace wend::syntax {
namespace {

std::string_view head_of(const ast::DeclBody& body) {
  static constexpr std::string_view heads[] = {"param",  "enum",     "fn",      "detect", "metric",
                                               "judge",  "reward",   "test",    "belief", "cues",
                                               "render", "scenario", "phrases", "filter", "context"};
  static_assert(std::variant_size_v<ast::DeclBody> == std::size(heads));
  return heads[body.index()];
}

std::string_view name_of(ast::StepKind kind) {
  switch (kind) {
    case ast::StepKind::system:
      return "system";
    case ast::StepKind::user:
      return "user";
    case ast::StepKind::call:
      return "call";
    case ast::StepKind::result:
      return "result";
    case ast::StepKind::reply:
      return "reply";
  }
  return "?";
}

}  // namespace

void DumpWriter::declaration(const ast::Declaration& declaration) {
  list(head_of(declaration.body), [&] {
    if (!declaration.name.text.empty()) name(declaration.name);
    doc(declaration.doc);
    std::visit([&](const auto& d) { body(d); }, declaration.body);
  });
}

void DumpWriter::body(const ast::ParamDecl& d) {
  type(d.type);
  expr(d.value);
}

void DumpWriter::body(const ast::EnumDecl& d) {
  for (const ast::Name& label : d.labels) name(label);
}

void DumpWriter::body(const ast::FnDecl& d) {
  for (const ast::Parameter& one : d.parameters) parameter("parameter", one);
  if (d.result) list("result", [&] { type(*d.result); });
  expr(d.body);
}

void DumpWriter::body(const ast::DetectDecl& d) {
  parameter("on", d.subject);
  expr(d.body);
}

void DumpWriter::body(const ast::MetricDecl& d) {
  type(d.type);
  expr(d.body);
}

void DumpWriter::body(const ast::JudgeDecl& d) {
  parameter("on", d.subject);
  line("rule", [&] { expr(d.rule); });
  if (d.system) line("system", [&] { expr(*d.system); });
  if (d.prompt) line("prompt", [&] { expr(*d.prompt); });
}

void DumpWriter::body(const ast::RewardDecl& d) {
  parameter("on", d.subject);
  if (d.judge_limit) list("judges", [&] { number(*d.judge_limit); });
  for (const ast::Stop& stop : d.stops) {
    line("stop", [&] {
      name(stop.name);
      expr(stop.value);
    });
  }
  for (const ast::Layer& layer : d.layers) {
    line("layer", [&] {
      name(layer.name);
      if (layer.weight) list("weight", [&] { expr(*layer.weight); });
      names("supervises", layer.supervises);
      for (const ast::Term& term : layer.terms) {
        line("term", [&] {
          name(term.name);
          doc(term.doc);
          expr(term.value);
        });
      }
    });
  }
  if (d.clamp_low.empty()) return;
  line("clamp", [&] {
    expr(d.clamp_low[0]);
    expr(d.clamp_high[0]);
  });
}

void DumpWriter::body(const ast::TestDecl& d) {
  quoted(d.title);
  trace(d.trace);
  for (const auto& [setting, value] : d.settings) {
    line("set", [&, &setting = setting, &value = value] {
      name(setting);
      expr(value);
    });
  }
  for (const ast::Expr& expectation : d.expectations) line("expect", [&] { expr(expectation); });
}

void DumpWriter::trace(const ast::TraceLiteral& trace) {
  line("trace", [&] {
    optional("family", trace.family);
    optional("scenario", trace.scenario);
    for (const ast::ToolLiteral& tool : trace.tools) {
      line("tool", [&] {
        name(tool.name);
        for (const ast::Parameter& one : tool.parameters) parameter("parameter", one);
      });
    }
    for (const ast::Step& step : trace.steps) {
      line(name_of(step.kind), [&] {
        if (step.kind != ast::StepKind::call) quoted(step.text);
        for (const ast::CallLiteral& one : step.calls) call(one);
      });
    }
    for (const ast::GoldLiteral& one : trace.gold) gold(one);
    for (const ast::ChainLiteral& chain : trace.chains) {
      line("chain", [&] {
        for (const ast::ChainLiteral::Link& link : chain.links) {
          list("link", [&] {
            number(link.turn);
            number(link.call);
            for (const int64_t needed : link.needs) number(needed);
          });
        }
      });
    }
  });
}

void DumpWriter::gold(const ast::GoldLiteral& gold) {
  line("gold", [&] {
    number(gold.turn);
    optional("signal", gold.signal);
    optional("kind", gold.kind);
    for (const ast::CallLiteral& one : gold.calls) call(one);
    for (const ast::StaleLiteral& stale : gold.stale) {
      list("stale", [&] {
        name(stale.tool);
        name(stale.param);
        expr(stale.value);
      });
    }
    names("missing", gold.missing);
  });
}

}  // namespace wend::syntax
