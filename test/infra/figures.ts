/** What holds a figure of a guide true. */
type Ground = InFile | Measured | Given;

/** A setting or constant. */
interface InFile {
  file: string;
  has: RegExp;
}

/** A benchmark of `npm run bench`. */
interface Measured {
  bench: string;
}

/** A fact of others, or an example. */
interface Given {
  because: string;
}

const inFile = (file: string, has: RegExp): Ground => ({ file, has });
const bench = (name: string): Ground => ({ bench: name });
const given = (because: string): Ground => ({ because });

const SEVERITY = inFile(
  "generator/contract/severity.ts",
  /^export const RUG_PERCENT = 90;[^]*COMMISSION: 10, MEV: 20/m,
);
const EXAMPLE = given("an example");
const TIERS = given("the runner prints it at its end");
const COSTS = bench("costs");
const SCHEDULES = given("GitHub's documentation, linked there");

/** Every figure with a unit, in the words around it (spaces collapsed), by document. */
export const FIGURES: Record<string, Record<string, Ground>> = {
  "README.md": {
    "who takes 90 % or more after a rise": SEVERITY,
    "went from 8 % to 100 % in epoch 1068": EXAMPLE,
    "down to 5 s": inFile(
      "generator/settings/settings.ts",
      /CHECK_SECONDS: wholeNumber\(\{ min: 5, max: 60, otherwise: 60 }\)/,
    ),
    "every 15 to 60 s | every few minutes | once an epoch | every 15 minutes": given(
      "their documentation, read in November 2026",
    ),
    "Each client has 60 requests a minute": inFile(
      "proxy/settings.ts",
      /RATE_LIMIT_PER_MINUTE: wholeNumber\(\{[^}]*otherwise: 60 }\)/,
    ),
    "rise to 90 % or more": SEVERITY,
    "that ends below 90 %": SEVERITY,
    "switched on at 90 % or more": SEVERITY,
    "start at about $24 a month": COSTS,
  },
  "CONTRIBUTING.md": {
    "2 minutes": TIERS,
    "ten times the seeds": given("a word"),
    "5 minutes": TIERS,
    "10 minutes": TIERS,
  },
  "SECURITY.md": {},
  "GLOSSARY.md": {
    "550 basis points are 5.5 %": EXAMPLE,
    "that ends below 90 %, or MEV switched on at 90 % or more": SEVERITY,
    "or on below 90 %": SEVERITY,
    "A rise to 90 % or more": SEVERITY,
    "0.2 seconds on mainnet since epoch 1053": given("SIMD-0525"),
  },
  "generator/README.md": {
    "must lie within 10 % of what the witnesses show": inFile(
      "generator/ledger/set-objections.ts",
      /^const MEDIAN_PERCENT = 10n;/m,
    ),
    "supplies within 0.1 %": inFile("generator/ledger/issuance.ts", /^const SUPPLY_DRIFT_DIVISOR = 1_000n;/m),
    "whsec_<32 bytes in Base64>": EXAMPLE,
    "Answer 2xx within 10 s": inFile("generator/service/alerts/delivery.ts", /^const DELIVERY_MILLISECONDS = 10_000;/m),
    "retried after 5 s, then at doubling intervals up to an hour": inFile(
      "generator/service/alerts/attempts.ts",
      /^const WAITS = \{ first: 5_000, most: 60 \* 60_000 };/m,
    ),
    "130 MB on disk and in memory": given("the size of the package"),
    "370 MB on mainnet": bench("stake-scan"),
    "active stake lies within 10 % of what the vote accounts have": inFile(
      "generator/observe/stakes/stake-accounts.ts",
      /^const TOLERANCE_PERCENT = 10n;/m,
    ),
    // 1,000 validators, two epochs, two programs, by 100 keys.
    "some 40 calls a snapshot": inFile("generator/observe/accounts.ts", /^const KEYS_MAX = 100;/m),
    "nothing was accepted for 5 minutes": inFile(
      "generator/service/metrics/metrics.ts",
      /^export const HEALTHY_SECONDS = 300;/m,
    ),
  },
  "proxy/README.md": {
    "answers under way go out, at most 5 s": inFile("proxy/server.ts", /^export const CLOSE_MILLISECONDS = 5_000;/m),
    "may hold 500 connections, an IPv6 /48 2,000. At 10,000 in all": inFile(
      "proxy/http/connections.ts",
      /CONNECTIONS_MAX = 10_000;[^]*CLIENT_CONNECTIONS_MAX = 500;[^]*SITE_CONNECTIONS_MAX = 2_000;/,
    ),
    "waits longer than 100 ms": inFile("proxy/limits/valkey.ts", /^const DEADLINE_MILLISECONDS = 100;/m),
    "send the head within 10 s, all within 20 s": inFile(
      "proxy/http/node-server.ts",
      /headersTimeout: 10_000,\n +requestTimeout: 20_000,/,
    ),
    "a return from 0 % to 100 % within an epoch": EXAMPLE,
    "every 15 s, at the price of a 304": inFile(
      "proxy/cache/revalidate.ts",
      /^export const FRESH_MILLISECONDS = 15_000;/m,
    ),
  },
  "infra/README.md": {
    "publishes a change within 75 s": bench("time-to-publish"),
    "two cores, 4 GB": bench("second-snapshot"),
    "Two cores, 4 GB of memory and 40 GB of disk": bench("cadence"),
    "of each client (100), the time of a head or body (5 s) and of an answer (10 s)": inFile(
      "infra/nginx/nginx.conf",
      /limit_conn clients 100;[^]*client_header_timeout 5s;[^]*client_body_timeout 5s;[^]*send_timeout 10s;/,
    ),
    "all 16,384 connections": inFile("infra/nginx/nginx.conf", /^worker_rlimit_nofile 16384;/m),
    "works for 25 minutes at a time": inFile(".github/workflows/generate.yml", /default: run --for 25m/),
    "without a commit for 60 days": SCHEDULES,
    "43,200 minutes a month: $247 on GitHub Free, $241 on Pro and Team": COSTS,
    "$0.006 a minute": inFile("test/bench/prices.ts", /actionsMinutes: \{ dollars: 0\.006, per: 1,/),
    "loose entries 48 hours": inFile(
      "generator/journal/compaction.ts",
      /^const KEPT_MILLISECONDS = 48 \* HOUR_MILLISECONDS/m,
    ),
    "all for 3 days, then the first of each day for 31 days": inFile(
      "generator/journal/checkpoints.ts",
      /^const DAYS_OF_ALL = 3;[^]*^const DAYS_OF_DAILY = 31;/m,
    ),
    "older versions 14 days": inFile("infra/aws/buckets.ts", /^const DERIVED_VERSIONS_KEPT = Duration\.days\(14\)/m),
    "a month; no address, no query": inFile("infra/aws/logs.ts", /retention: RetentionDays\.ONE_MONTH/),
    "the newest 30 MB of each service": inFile("infra/compose.yaml", /max-size: 10m, max-file: "3"/),
    "14 days, 2 GB at most": inFile("infra/compose.prometheus.yaml", /retention\.time=14d\n.*retention\.size=2GB/),
    "**$39 on AWS, $38 with Cloudflare R2, $24 on one machine**": COSTS,
    "On AWS $19 are writes to S3, $11 the firewall, $5 what a generator outside AWS reads; elsewhere $24 are the machine":
      COSTS,
    "860,000 calls a month for mainnet and answer 302 GB of JSON, 45 GB with gzip": COSTS,
    "271 GB of it": COSTS,
    "adds up to $7 a month on S3": bench("cadence"),
    "2,049 objects of 303 MB, some $0.31 a month": bench("wallets"),
  },
  "infra/RUNBOOK.md": {
    "more than 20 validators, and more than 5 %": inFile(
      "generator/ledger/pending.ts",
      /^const MASS_CHANGES = 20;\nconst MASS_PERCENT = 5;/m,
    ),
    "some 20 GB a year of mainnet": bench("cadence"),
    "nothing observed for 30 minutes": inFile(
      "infra/aws/freshness-alarm.ts",
      /^const OLD_AFTER = Duration\.minutes\(30\);/m,
    ),
    "after 60 days without a commit": SCHEDULES,
    "told 100 % of everybody": EXAMPLE,
    "a message waits for 30 minutes": inFile(
      "infra/prometheus/rules.yml",
      /rugwatch_alert_oldest_undelivered_seconds\) > 1800/,
    ),
  },
  "CHANGELOG_API.md": {
    "still take 90 % or more": SEVERITY,
    "over 8192 characters": inFile("proxy/http/refusals.ts", /^export const TARGET_MAX_CHARACTERS = 8_192;/m),
    "over 100 headers or 16 KB": inFile(
      "proxy/http/refusals.ts",
      /^export const HEAD_MAX_BYTES = 16_384;[^]*^const HEADERS_MAX = 100;/m,
    ),
    "exactly 32 bytes; 32 to 44 characters": inFile(
      "generator/chain/public-key.ts",
      /PUBLIC_KEY_BYTES = 32;[^]*text\.length < 32 \|\| text\.length > 44/,
    ),
    "`Age` of 15 to 60 s": inFile(
      "proxy/cache/revalidate.ts",
      /^export const FRESH_MILLISECONDS = 15_000;[^]*^const OVERDUE_MILLISECONDS = 60_000;/m,
    ),
    "answers for 5 minutes, those about events for a minute, `/epoch` for 30 seconds": inFile(
      "generator/contract/cache.ts",
      /snapshot: "[^"]*s-maxage=300,[^]*events: "[^"]*s-maxage=60,[^]*epoch: "[^"]*s-maxage=30"/,
    ),
  },
};
