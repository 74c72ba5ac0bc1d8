#include "runtime/judge/http_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "runtime/judge/dispatcher.h"
#include "runtime/judge/judge_cache.h"

namespace wend {
namespace {

using nlohmann::json;

// Part of every cache key: to be changed when the same answer would be read as another verdict.
constexpr std::string_view kCacheEpoch = "wend-judge-1";

// Text from transcripts may hold broken UTF-8 or lone surrogates; JSON may not.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

Result<void> CheckOptions(const HttpJudgeOptions& options) {
  if (options.model.empty()) return Error{"the judge has no model name"};
  if (options.concurrency < 1 || options.concurrency > 1024) {
    return Error{fmt::format("the judge's concurrency must be between 1 and 1024, not {}", options.concurrency)};
  }
  if (!std::isfinite(options.requests_per_second) || options.requests_per_second < 0) {
    return Error{"the judge's requests per second must be 0 (no limit) or more"};
  }
  if (!std::isfinite(options.temperature) || options.temperature < 0) {
    return Error{"the judge's temperature must be 0 or more"};
  }
  if (options.timeout.count() < 1) return Error{"the judge's timeout must be at least a millisecond"};
  if (options.max_attempts < 1) return Error{"the judge's attempts must be at least 1"};
  if (options.max_tokens < 1) return Error{"the judge's token limit must be at least 1"};
  if (options.backoff.count() < 0 || options.max_backoff.count() < 0 || options.max_retry_wait.count() < 0) {
    return Error{"the judge's delays must not be negative"};
  }
  if (options.max_calls_per_sample < 0 || options.give_up_after < 0) {
    return Error{"the judge's limits must be 0 (no limit) or more"};
  }
  return {};
}

Result<std::string> read_key(const std::string& variable) {
  if (variable.empty()) return std::string();
  const char* value = std::getenv(variable.c_str());
  if (value == nullptr || *value == '\0') {
    return Error{fmt::format("the environment variable `{}`, which should hold the judge's key, is not set", variable)};
  }
  for (const char* c = value; *c != '\0'; ++c) {
    if (static_cast<unsigned char>(*c) <= 0x20 || *c == 0x7F) {
      return Error{
          fmt::format("the key in the environment variable `{}` contains spaces or control characters", variable)};
    }
  }
  return std::string(value);
}

void set_up_curl() {
  // Once per process and before any handle; a function-local static is safe against two threads at once.
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(done);
}

ChatEndpoint make_endpoint(const HttpJudgeOptions& options, std::string url, std::string key) {
  return {std::move(url), std::move(key), options.timeout, options.max_body_bytes};
}

DispatchLimits make_limits(const HttpJudgeOptions& options) {
  DispatchLimits limits;
  limits.concurrency = options.concurrency;
  limits.requests_per_second = options.requests_per_second;
  limits.max_attempts = options.max_attempts;
  limits.backoff = {options.backoff, options.max_backoff, options.seed};
  limits.max_retry_wait = options.max_retry_wait;
  limits.give_up_after = options.give_up_after;
  limits.max_requests = options.max_requests;
  return limits;
}

std::uint64_t stream(const JudgeKey& key) {
  std::uint64_t stream = 0;
  std::memcpy(&stream, key.data(), sizeof stream);
  return stream;
}

}  // namespace

struct HttpJudge::Impl {
  HttpJudgeOptions options;
  std::string parameters;  // the request's fixed part, as JSON; part of the key
  Dispatcher dispatcher;
  std::optional<JudgeCache> cache;
  JudgeStats stats;
  std::vector<std::string> warnings;

  // Requests with one key, and thus one answer.
  struct Group {
    JudgeKey key;
    std::vector<std::size_t> requests;  // the first one stands for all
  };

  JudgeKey key_of(const JudgeRequest& request) const {
    std::vector<std::string_view> parts = {kCacheEpoch,    request.judge,  options.model,
                                           request.system, request.prompt, parameters};
    parts.insert(parts.end(), request.labels.begin(), request.labels.end());
    return make_judge_key(parts);
  }

  std::string body_of(const JudgeRequest& request) const {
    json body = json::parse(parameters);
    body["model"] = options.model;
    json& messages = body["messages"] = json::array();
    if (!request.system.empty()) messages.push_back({{"role", "system"}, {"content", request.system}});
    messages.push_back({{"role", "user"}, {"content", request.prompt}});
    return dump(body);
  }

  void drop_cache(const Error& error) {
    warnings.push_back(fmt::format("{}; going on without it", error.message));
    cache.reset();
  }

  std::optional<JudgeReply> look_up(const JudgeKey& key, const std::vector<std::string>& labels) {
    if (!cache) return std::nullopt;
    Result<std::optional<CachedVerdict>> found = cache->get(key);
    if (!found) {
      drop_cache(found.error());
      return std::nullopt;
    }
    std::optional<CachedVerdict>& verdict = *found;
    if (!verdict) return std::nullopt;
    const auto label = std::find(labels.begin(), labels.end(), verdict->label);
    if (!labels.empty() && label == labels.end()) return std::nullopt;
    JudgeReply reply{JudgeStatus::ok, verdict->score, std::move(verdict->reason), 0, true};
    reply.label = static_cast<std::uint32_t>(label - labels.begin());
    return reply;
  }

  void store(const JudgeKey& key, const JudgeReply& reply, const JudgeRequest& request) {
    if (!cache || !reply.ok()) return;
    const std::string label = request.labels.empty() ? std::string() : request.labels[reply.label];
    const Result<void> stored = cache->put(key, {reply.score, reply.reason, label}, request.judge, options.model);
    if (!stored) drop_cache(stored.error());
  }

  // Groups equal requests; those of a sample beyond its limit are answered in `replies` and belong to no group.
  std::vector<Group> group(std::span<const JudgeRequest> requests, std::vector<JudgeReply>& replies) const {
    std::vector<Group> groups;
    std::map<JudgeKey, std::size_t> group_of;
    std::map<std::string_view, std::set<JudgeKey>> asked_for;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const JudgeKey key = key_of(requests[i]);
      if (!requests[i].sample.empty() && options.max_calls_per_sample > 0) {
        std::set<JudgeKey>& keys = asked_for[requests[i].sample];
        keys.insert(key);
        if (keys.size() > static_cast<std::size_t>(options.max_calls_per_sample)) {
          keys.erase(key);
          replies[i] = {
              JudgeStatus::over_budget, 0,
              fmt::format("not asked: the sample has used up its {} judge calls", options.max_calls_per_sample), 0,
              false};
          continue;
        }
      }
      const auto [found, is_new] = group_of.emplace(key, groups.size());
      if (is_new) groups.push_back({key, {}});
      groups[found->second].requests.push_back(i);
    }
    return groups;
  }

  // Hands a group's answer to each of its requests.
  static void spread(const Group& group, JudgeReply reply, std::vector<JudgeReply>& replies) {
    for (std::size_t i = 1; i < group.requests.size(); ++i) {
      replies[group.requests[i]] = {reply.status, reply.score, reply.reason, 0, reply.ok(), reply.label};
    }
    replies[group.requests[0]] = std::move(reply);
  }

  void count(std::span<const JudgeReply> replies) {
    for (const JudgeReply& reply : replies) {
      ++stats.asked;
      ++stats.by_status[static_cast<std::size_t>(reply.status)];
      ++(reply.ok() ? stats.ok : stats.failed);
      if (reply.cached) ++stats.cached;
    }
    stats.requests = dispatcher.requests();
    stats.retries = dispatcher.retries();
  }

  std::vector<JudgeReply> ask(std::span<const JudgeRequest> requests, const JudgeProgress& progress) {
    std::vector<JudgeReply> replies(requests.size());
    const std::vector<Group> groups = group(requests, replies);

    std::size_t done = requests.size();  // the requests in no group are done already
    for (const Group& group : groups) done -= group.requests.size();
    const auto answer = [&](const Group& group, JudgeReply reply) {
      spread(group, std::move(reply), replies);
      done += group.requests.size();
      if (progress) progress(done, requests.size());
    };

    std::vector<const Group*> to_send;
    std::vector<ChatJob> jobs;
    for (const Group& group : groups) {
      if (std::optional<JudgeReply> known = look_up(group.key, requests[group.requests[0]].labels)) {
        answer(group, std::move(*known));
        continue;
      }
      to_send.push_back(&group);
      const JudgeRequest& request = requests[group.requests[0]];
      jobs.push_back({body_of(request), stream(group.key), request.labels});
    }
    dispatcher.run(jobs, [&](std::size_t job, JudgeReply reply) {
      const Group& group = *to_send[job];
      store(group.key, reply, requests[group.requests[0]]);
      answer(group, std::move(reply));
    });
    return replies;
  }
};

HttpJudge::HttpJudge(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpJudge::HttpJudge(HttpJudge&&) noexcept = default;
HttpJudge& HttpJudge::operator=(HttpJudge&&) noexcept = default;
HttpJudge::~HttpJudge() = default;

Result<HttpJudge> HttpJudge::open(HttpJudgeOptions options) {
  if (Result<void> checked = CheckOptions(options); !checked) return checked.error();
  Result<std::string> url = chat_completions_url(options.endpoint);
  if (!url) return url.error();
  Result<std::string> key = read_key(options.api_key_env);
  if (!key) return key.error();
  set_up_curl();
  Result<Dispatcher> dispatcher = Dispatcher::open(make_endpoint(options, *url, *key), make_limits(options));
  if (!dispatcher) return dispatcher.error();

  const std::string parameters = dump({{"temperature", options.temperature}, {"max_tokens", options.max_tokens}});
  auto impl = std::make_unique<Impl>(Impl{std::move(options), parameters, std::move(*dispatcher), {}, {}, {}});
  if (!impl->options.cache_path.empty()) {
    Result<JudgeCache> cache = JudgeCache::open(impl->options.cache_path);
    if (cache)
      impl->cache.emplace(std::move(*cache));
    else
      impl->drop_cache(cache.error());
  }
  return HttpJudge(std::move(impl));
}

std::vector<JudgeReply> HttpJudge::ask(std::span<const JudgeRequest> requests, const JudgeProgress& progress) {
  const PaceClock::time_point start = PaceClock::now();
  std::vector<JudgeReply> replies = impl_->ask(requests, progress);
  impl_->count(replies);
  impl_->stats.seconds += std::chrono::duration<double>(PaceClock::now() - start).count();
  return replies;
}

const JudgeStats& HttpJudge::stats() const { return impl_->stats; }
const std::vector<std::string>& HttpJudge::warnings() const { return impl_->warnings; }

}  // namespace wend
