/** What holds a figure of a guide true: words of a file, a benchmark of `npm run bench`, or a fact of others. */
type Ground = { file: string; has: readonly string[] } | { bench: string } | { because: string };

const inFile = (file: string, ...has: string[]): Ground => ({ file, has });
const bench = (name: string): Ground => ({ bench: name });
const given = (because: string): Ground => ({ because });

const SEVERITY = inFile("generator/contract/severity.ts", "const RUG_PERCENT = 90;", "COMMISSION: 10, MEV: 20");
const EXAMPLE = given("an example");
const TIERS = given("the runner prints it at its end");
const COSTS = bench("costs");
const SCHEDULES = given("GitHub's documentation, linked there");
const RATE = inFile(
  "proxy/settings.ts",
  "RATE_LIMIT_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000, otherwise: 60 })",
);
const REVALIDATE = "proxy/cache/revalidate.ts";

const CONNECTIONS = inFile(
  "proxy/http/connections.ts",
  ...["const CONNECTIONS_MAX = 10_000;", "const CLIENT_CONNECTIONS_MAX = 500;", "const SITE_CONNECTIONS_MAX = 2_000;"],
);
const NGINX = inFile(
  "infra/nginx/nginx.conf",
  ...["limit_conn clients 100;", "client_header_timeout 5s;", "client_body_timeout 5s;", " send_timeout 10s;"],
);
const CACHE = inFile(
  "generator/contract/cache.ts",
  ...['snapshot: "public, max-age=60, s-maxage=300,', 'events: "public, max-age=15, s-maxage=60,'],
  'epoch: "public, max-age=30, s-maxage=30"',
);

/** Every figure with a unit, in the words around it (spaces collapsed), by document. */
export const FIGURES: Record<string, Record<string, Ground>> = {
  "README.md": {
    "who takes 90 % or more after a rise": SEVERITY,
    "went from 8 % to 100 % in epoch 1068": EXAMPLE,
    "down to 5 s": inFile("generator/settings/settings.ts", "CHECK_SECONDS: wholeNumber({ min: 5, max: 60, otherwise"),
    "every 15 to 60 s | every few minutes | once an epoch | every 15 minutes": given("their words, November 2026"),
    "Each client has 60 requests a minute": RATE,
    "rise to 90 % or more": SEVERITY,
    "that ends below 90 %": SEVERITY,
    "switched on at 90 % or more": SEVERITY,
    "start at about $24 a month": COSTS,
  },
  "CONTRIBUTING.md": {
    "2 minutes": TIERS,
    "ten times the seeds": given("a word"),
    "5 minutes": TIERS,
    "14 minutes": TIERS,
  },
  "SECURITY.md": {},
  "GLOSSARY.md": {
    "550 basis points are 5.5 %": EXAMPLE,
    "that ends below 90 %, or MEV switched on at 90 % or more": SEVERITY,
    "or on below 90 %": SEVERITY,
    "A rise to 90 % or more": SEVERITY,
    "0.2 seconds on mainnet since epoch 1053": given("SIMD-0525"),
    "keep all of them, 100 %": given("SIMD-0123"),
  },
  "generator/README.md": {
    "observations, 30 seconds apart": inFile("generator/ledger/belief.ts", "REPEAT_MILLISECONDS = 30_000;"),
    "within 2 % of each other": inFile("generator/entries/list-totals.ts", "const ALIKE_PERCENT = 2n;"),
    "supplies within 0.1 %": inFile("generator/agree/issuance.ts", "const SUPPLY_DRIFT_DIVISOR = 1_000n;"),
    "whsec_<32 bytes in Base64>": EXAMPLE,
    "Answer 2xx within 10 s": inFile("generator/service/alerts/delivery.ts", "const DELIVERY_MILLISECONDS = 10_000;"),
    "retried after 5 s, then at": inFile(
      "generator/service/alerts/attempts.ts",
      "WAIT_MILLISECONDS = { first: 5_000, most: 60 *",
    ),
    "130 MB on disk and in memory": given("the size of the package"),
    "370 MB on mainnet": bench("stake-scan"),
    "stake lies within 10 %": inFile("generator/observe/stakes/stake-accounts.ts", "const TOLERANCE_PERCENT = 10n;"),
    // 1,000 validators, two epochs, two programs, by 100 keys.
    "some 10 calls a witness": inFile("generator/observe/accounts.ts", "const KEYS_MAX = 100;"),
    "accepted for 5 minutes": inFile("generator/service/metrics/metrics.ts", "const HEALTHY_SECONDS = 300;"),
  },
  "proxy/README.md": {
    "answers under way go out, at most 5 s": inFile("proxy/server.ts", "const CLOSE_MILLISECONDS = 5_000;"),
    "may hold 500 connections, an IPv6 /48 2,000. At 10,000 in all": CONNECTIONS,
    "waits longer than 100 ms": inFile("proxy/limits/valkey.ts", "const DEADLINE_MILLISECONDS = 100;"),
    "send the head within 10 s": inFile("proxy/http/node-server.ts", "headersTimeout: 10_000,"),
    "all within 20 s": inFile("proxy/http/node-server.ts", "requestTimeout: 20_000,"),
    "a return from 0 % to 100 % within an epoch": EXAMPLE,
    "every 15 s, at the price of a 304": inFile(REVALIDATE, "const FRESH_MILLISECONDS = 15_000;"),
  },
  "infra/README.md": {
    "publishes a change within 75 s": bench("time-to-publish"),
    "two cores, 4 GB": bench("second-snapshot"),
    "Two cores, 4 GB of memory and 40 GB of disk": bench("cadence"),
    "of each client (100), the time of a head or body (5 s) and of an answer (10 s)": NGINX,
    "all 16,384 connections": inFile("infra/nginx/nginx.conf", "worker_rlimit_nofile 16384;"),
    "works for 25 minutes at a time": inFile(".github/workflows/generate.yml", "default: run --for 25m"),
    "without a commit for 60 days": SCHEDULES,
    "43,200 minutes a month: $247 on GitHub Free, $241 on Pro and Team": COSTS,
    "$0.006 a minute": inFile("test/bench/prices.ts", "actionsMinutes: { dollars: 0.006, per: 1,"),
    "older versions 14 days": inFile("infra/aws/buckets.ts", "DERIVED_VERSIONS_KEPT = Duration.days(14)"),
    "a month; no address, no query": inFile("infra/aws/logs.ts", "retention: RetentionDays.ONE_MONTH"),
    "the newest 30 MB of each service": inFile("infra/compose.yaml", 'max-size: 10m, max-file: "3"'),
    "14 days, 2 GB at most": inFile("infra/compose.prometheus.yaml", "retention.time=14d", "retention.size=2GB"),
    "**$44 on AWS, $39 with Cloudflare R2, $24 on one machine**": COSTS,
    "On AWS $21 are writes to S3, $11 the firewall, $8 what a generator outside AWS": COSTS,
    "elsewhere $24 are the machine": COSTS,
    "1,040,000 calls a month for mainnet and answer 341 GB of JSON, 58 GB with gzip": COSTS,
    "275 GB of it": COSTS,
    "adds up to $7 a month on S3": bench("cadence"),
    "2,049 objects of 303 MB, some $0.31 a month": bench("wallets"),
  },
  "infra/RUNBOOK.md": {
    "more than 20 validators": inFile("generator/ledger/belief.ts", "const MASS_CHANGES = 20;"),
    "and more than 5 %": inFile("generator/ledger/belief.ts", "const MASS_PERCENT = 5;"),
    "some 20 GB a year of mainnet": bench("cadence"),
    "nothing observed for 30 minutes": inFile("infra/aws/freshness-alarm.ts", "OLD_AFTER = Duration.minutes(30);"),
    "after 60 days without a commit": SCHEDULES,
    "told 100 % of everybody": EXAMPLE,
    "a message waits for 30 minutes": inFile("infra/prometheus/rules.yml", "oldest_undelivered_seconds) > 1800"),
  },
  "CHANGELOG_API.md": {
    "observations, 30 seconds apart": inFile("generator/ledger/belief.ts", "REPEAT_MILLISECONDS = 30_000;"),
    "every account shows 100 %": given("SIMD-0123"),
    "(70 seconds)": inFile("generator/ledger/rates/boundaries.ts", "const BURST_MILLISECONDS = 70_000;"),
    "still take 90 % or more": SEVERITY,
    "over 8192 characters": inFile("proxy/http/refusals.ts", "const TARGET_MAX_CHARACTERS = 8_192;"),
    "over 100 headers": inFile("proxy/http/refusals.ts", "const HEADERS_MAX = 100;"),
    "or 16 KB": inFile("proxy/http/refusals.ts", "const HEAD_MAX_BYTES = 16_384;"),
    "exactly 32 bytes": inFile("generator/chain/public-key.ts", "const PUBLIC_KEY_BYTES = 32;"),
    "32 to 44 characters": inFile("generator/chain/public-key.ts", "text.length < 32 || text.length > 44"),
    "`Age` of 15 to 60 s": inFile(REVALIDATE, "FRESH_MILLISECONDS = 15_000;", "OVERDUE_MILLISECONDS = 60_000;"),
    "answers for 5 minutes, those about events for a minute, `/epoch` for 30 seconds": CACHE,
  },
};
