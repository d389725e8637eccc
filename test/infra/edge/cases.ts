import type { ErrorCode } from "../../../generator/contract/errors.ts";
import { LATEST_EPOCH, toPubkey } from "../../proxy/fixtures.ts";

/**
 * What CDN and proxy decide about requests: one table, for the edge function (edge.test.ts) and for the proxy
 * (../../proxy/edge-cases.test.ts), which must answer what the edge passes on as it answers the request itself.
 */
export interface EdgeCase {
  method: string;
  target: string;
  decided: Decision;
}

export type Decision =
  /** An error; who answers it first says the same words. */
  | { error: ErrorCode; message: string }
  /** The answer to OPTIONS. */
  | { preflight: true }
  /** An object of the public store. */
  | { object: string }
  /** Nothing but the proxy can answer, and it is asked for this. */
  | { proxy: string }
  /** A file of the site. */
  | { file: string };

const VOTE = toPubkey(1);
const STRANGER = toPubkey(99);
/** 44 digits, of 33 bytes. */
const TOO_MUCH = "z".repeat(44);
/** 43 digits, of 32 bytes the first of which is zero. */
const ZERO_AHEAD = `1${toPubkey(1).slice(1)}`;
const OF_VOTE = `/api/v1/validators/${VOTE}`;
const NETWORKS = "one of mainnet, testnet, alpenglow";

const invalidNetwork = (shown: string) =>
  ({ error: "invalid_network", message: `network must be ${NETWORKS}, not "${shown}".` }) as const;
const invalidPubkey = (shown: string) =>
  ({
    error: "invalid_pubkey",
    message: `votePubkey must be Base58 of exactly 32 bytes, 32 to 44 characters, not "${shown}".`,
  }) as const;
const invalid = (message: string) => ({ error: "invalid_parameter", message }) as const;
const NOT_FOUND = {
  error: "not_found",
  message: "There is nothing at this path: /api/v1/openapi.json tells which there are.",
} as const;
const NOT_ALLOWED = { error: "method_not_allowed", message: "This path takes GET, HEAD, OPTIONS." } as const;
const PREFLIGHT = { preflight: true } as const;

const get = (target: string, decided: Decision): EdgeCase => ({ method: "GET", target, decided });
const ask = (method: string, target: string, decided: Decision): EdgeCase => ({ method, target, decided });

export const EDGE_CASES: readonly EdgeCase[] = [
  // What has an object, on each network; the query is dropped.
  get(OF_VOTE, { object: `api/v1/mainnet/validators/${VOTE}.json` }),
  get(`${OF_VOTE}?network=testnet`, { object: `api/v1/testnet/validators/${VOTE}.json` }),
  get(`${OF_VOTE}?network=mainnet&page=2&q=x`, { object: `api/v1/mainnet/validators/${VOTE}.json` }),
  get(`${OF_VOTE}?`, { object: `api/v1/mainnet/validators/${VOTE}.json` }),
  ask("HEAD", OF_VOTE, { object: `api/v1/mainnet/validators/${VOTE}.json` }),
  get(`${OF_VOTE}/events`, { object: `api/v1/mainnet/validators/${VOTE}/events.json` }),
  get(`${OF_VOTE}/commission-history`, { object: `api/v1/mainnet/validators/${VOTE}/commission-history.json` }),
  get(`${OF_VOTE}/stake-history`, { object: `api/v1/mainnet/validators/${VOTE}/stake-history.json` }),
  get(`${OF_VOTE}/uptime`, { object: `api/v1/mainnet/validators/${VOTE}/uptime.json` }),
  get(`${OF_VOTE}/location?network=alpenglow`, { object: `api/v1/alpenglow/validators/${VOTE}/location.json` }),
  get(`/api/v1/epochs/${LATEST_EPOCH}/events`, { object: `api/v1/mainnet/epochs/${LATEST_EPOCH}/events.json` }),
  get("/api/v1/epochs/0/events", { object: "api/v1/mainnet/epochs/0/events.json" }),
  get("/api/v1/stats/stake-concentration", { object: "api/v1/mainnet/stats/stake-concentration.json" }),
  get("/api/v1/status?network=testnet", { object: "api/v1/testnet/status.json" }),
  get("/api/v1/exports", { object: "api/v1/mainnet/exports.json" }),
  get("/feeds/mainnet/rug.atom", { object: "feeds/mainnet/rug.atom" }),
  get("/feeds/mainnet/events.json?network=nonsense", { object: "feeds/mainnet/events.json" }),
  get("/exports/mainnet/events.csv", { object: "exports/mainnet/events.csv" }),
  get("/exports/mainnet/events.parquet", { object: "exports/mainnet/events.parquet" }),
  get(`/exports/mainnet/history/${LATEST_EPOCH - 1}.csv?x`, {
    object: `exports/mainnet/history/${LATEST_EPOCH - 1}.csv`,
  }),

  // What has none: the proxy says so, or answers with nothing.
  get(`/api/v1/validators/${STRANGER}`, { object: `api/v1/mainnet/validators/${STRANGER}.json` }),
  get(`/api/v1/validators/${STRANGER}/events`, { object: `api/v1/mainnet/validators/${STRANGER}/events.json` }),
  get(`/api/v1/validators/${STRANGER}/uptime`, { object: `api/v1/mainnet/validators/${STRANGER}/uptime.json` }),
  get(`/api/v1/validators/${STRANGER}/location`, { object: `api/v1/mainnet/validators/${STRANGER}/location.json` }),
  get(`/api/v1/validators/${ZERO_AHEAD}`, { object: `api/v1/mainnet/validators/${ZERO_AHEAD}.json` }),
  get(`/api/v1/validators/${"1".repeat(32)}`, { object: `api/v1/mainnet/validators/${"1".repeat(32)}.json` }),
  get("/api/v1/epochs/9007199254740991/events", { object: "api/v1/mainnet/epochs/9007199254740991/events.json" }),
  get("/feeds/testnet/info.json", { object: "feeds/testnet/info.json" }),
  get("/exports/testnet/history/7.parquet", { object: "exports/testnet/history/7.parquet" }),

  // What depends on a query, all of it at its default.
  get("/api/v1/validators", { object: "api/v1/mainnet/validators.json" }),
  get("/api/v1/validators?limit=50&page=1&network=mainnet", { object: "api/v1/mainnet/validators.json" }),
  get("/api/v1/validators?LIMIT=5&epochs=3", { object: "api/v1/mainnet/validators.json" }),
  get("/api/v1/events?epochs=10&network=testnet", { object: "api/v1/testnet/events.json" }),
  get("/api/v1/stats/rugs-per-epoch?offset=0&epochs=1%30", { object: "api/v1/mainnet/stats/rugs-per-epoch.json" }),

  // What depends on a query: only what counts goes on, sorted.
  get("/api/v1/validators?page=2", { proxy: "/api/v1/validators?page=2" }),
  get("/api/v1/validators?page=2&limit=10&network=testnet&x=1", {
    proxy: "/api/v1/validators?limit=10&network=testnet&page=2",
  }),
  get("/api/v1/validators?page=2&limit=50&network=mainnet", { proxy: "/api/v1/validators?page=2" }),
  get("/api/v1/validators?%6cimit=%31", { proxy: "/api/v1/validators?limit=1" }),
  ask("HEAD", "/api/v1/validators?limit=1", { proxy: "/api/v1/validators?limit=1" }),
  get("/api/v1/events?severity=RUG", { proxy: "/api/v1/events?severity=RUG" }),
  get("/api/v1/events?severity=INFO&epochs=50", { proxy: "/api/v1/events?epochs=50&severity=INFO" }),
  get("/api/v1/stats/rugs-per-epoch?epochs=100&offset=20", {
    proxy: "/api/v1/stats/rugs-per-epoch?epochs=100&offset=20",
  }),
  get(`${OF_VOTE}/uptime?days=2&limit=1`, { proxy: `${OF_VOTE}/uptime?days=2` }),
  get("/api/v1/search?q=validator+1", { proxy: "/api/v1/search?q=validator%201" }),
  get("/api/v1/search?network=testnet&q=%76alidator", { proxy: "/api/v1/search?network=testnet&q=validator" }),
  get("/api/v1/search?q=%E5%AE%B6%e5%ae%b6", { proxy: "/api/v1/search?q=%E5%AE%B6%E5%AE%B6" }),
  get("/api/v1/search?q=%ff%fe", { proxy: "/api/v1/search?q=%ff%fe" }),
  get("/api/v1/search?q=a=b%26c", { proxy: "/api/v1/search?q=a%3Db%26c" }),
  // Whether two characters are left of it, only one who can compose them knows.
  get("/api/v1/search?q=e%CC%81", { proxy: "/api/v1/search?q=e%CC%81" }),
  get("/api/v1/search?q=", { proxy: "/api/v1/search?q=" }),
  get("/api/v1/search?q", { proxy: "/api/v1/search?q=" }),

  // What needs the cluster, or is the same for all networks.
  get("/api/v1/epoch", { proxy: "/api/v1/epoch" }),
  get("/api/v1/epoch?network=mainnet&x", { proxy: "/api/v1/epoch" }),
  get("/api/v1/epoch?network=alpenglow", { proxy: "/api/v1/epoch?network=alpenglow" }),
  get("/api/v1/openapi.json", { proxy: "/api/v1/openapi.json" }),
  get("/api/v1/openapi.json?network=nonsense", { proxy: "/api/v1/openapi.json" }),

  // The network.
  get("/api/v1/validators?network=devnet", invalidNetwork("devnet")),
  get("/api/v1/validators?network=MAINNET", invalidNetwork("MAINNET")),
  get("/api/v1/validators?network=", invalidNetwork("")),
  get("/api/v1/validators?network", invalidNetwork("")),
  get("/api/v1/validators?network=mainnet+", invalidNetwork("mainnet ")),
  get("/api/v1/epoch?network=mainnet%00", invalidNetwork("mainnet?")),
  get("/api/v1/events?network=%22%5c", invalidNetwork(String.raw`\"\\`)),
  get(`${OF_VOTE}?network=%E5%AE%B6%ff%zz`, invalidNetwork("?%zz")),
  get(`${OF_VOTE}?network=${"x".repeat(61)}`, invalidNetwork(`${"x".repeat(60)}…`)),
  get("/api/v1/status?network=__proto__", invalidNetwork("__proto__")),
  get("/api/v1/status?network=mainnet&network=mainnet", {
    error: "invalid_network",
    message: "network is given more than once.",
  }),
  get("/api/v1/search?network=devnet", invalidNetwork("devnet")),
  get("/feeds/devnet/nothing.atom", invalidNetwork("devnet")),
  get("/exports/Mainnet/history/x.csv", invalidNetwork("Mainnet")),

  // The path's parameters.
  get("/api/v1/validators/abc", invalidPubkey("abc")),
  get(`/api/v1/validators/1${VOTE}/events`, invalidPubkey(`1${VOTE}`)),
  get(`/api/v1/validators/${TOO_MUCH}`, invalidPubkey(TOO_MUCH)),
  get(`/api/v1/validators/${"1".repeat(33)}/uptime?days=0`, invalidPubkey("1".repeat(33))),
  get(`/api/v1/validators/${VOTE.replace(/.$/, "0")}`, invalidPubkey(VOTE.replace(/.$/, "0"))),
  get("/api/v1/validators/%00", invalidPubkey("%00")),
  get("/api/v1/validators/%ZZ/location", invalidPubkey("%ZZ")),
  get("/api/v1/validators/..%2f..%2fetc", invalidPubkey("..%2f..%2fetc")),
  get(`/api/v1/validators/${"x".repeat(61)}`, invalidPubkey(`${"x".repeat(60)}…`)),
  get("/api/v1/epochs/01/events", invalid('epoch must be a whole number from 0 to 9007199254740991, not "01".')),
  get(
    "/api/v1/epochs/9007199254740992/events",
    invalid('epoch must be a whole number from 0 to 9007199254740991, not "9007199254740992".'),
  ),
  get("/exports/mainnet/history/x.csv", invalid('epoch must be a whole number from 0 to 9007199254740991, not "x".')),
  get("/feeds/mainnet/rugs.atom", {
    error: "not_found",
    message: 'feed must be one of events, rug, caution, info, not "rugs".',
  }),

  // The query's.
  get("/api/v1/validators?limit=101", invalid('limit must be a whole number from 1 to 100, not "101".')),
  get("/api/v1/validators?limit=x&page=0", invalid('page must be a whole number from 1 to 9007199254740991, not "0".')),
  get("/api/v1/validators?page=1&page=1", invalid("page is given more than once.")),
  get("/api/v1/events?epochs=51", invalid('epochs must be a whole number from 1 to 50, not "51".')),
  get("/api/v1/events?severity=rug", invalid('severity must be one of RUG, CAUTION, INFO, not "rug".')),
  get("/api/v1/stats/rugs-per-epoch?epochs=101", invalid('epochs must be a whole number from 1 to 100, not "101".')),
  get(
    "/api/v1/stats/rugs-per-epoch?offset=-1",
    invalid('offset must be a whole number from 0 to 9007199254740991, not "-1".'),
  ),
  get(`${OF_VOTE}/uptime?days=%D9%A1`, invalid('days must be a whole number from 1 to 9007199254740991, not "?".')),
  get("/api/v1/search", invalid("q must be at least 2 characters, and is missing.")),
  get("/api/v1/search?q=ab&q=cd", invalid("q is given more than once.")),

  // Methods.
  ask("OPTIONS", "/api/v1/validators/nobody?network=devnet", PREFLIGHT),
  ask("OPTIONS", "/feeds/mainnet/rug.atom", PREFLIGHT),
  ask("POST", "/api/v1/validators", NOT_ALLOWED),
  ask("DELETE", "/api/v1/validators/nobody/uptime?network=devnet&days=0", NOT_ALLOWED),
  ask("PUT", "/exports/mainnet/events.csv", NOT_ALLOWED),
  ask("HEAD", "/api/v1/validators?limit=0", invalid('limit must be a whole number from 1 to 100, not "0".')),

  // Paths that are none.
  get("/api/v1/validator", NOT_FOUND),
  get("/api/v1", NOT_FOUND),
  get("/api/", NOT_FOUND),
  get("/api/v1/validators/", NOT_FOUND),
  get("/api/v1//validators", NOT_FOUND),
  get("/api/v1/epochs//events", NOT_FOUND),
  get("/API/v1/validators", NOT_FOUND),
  get(`${OF_VOTE}/Events`, NOT_FOUND),
  get(`${OF_VOTE}.json`, invalidPubkey(`${VOTE}.json`)),
  get("/api/v1/mainnet/index.json", NOT_FOUND),
  get(`/api/v1/mainnet/validators/${VOTE}.json`, NOT_FOUND),
  get("/api/v1/epoch%20", NOT_FOUND),
  get("/feeds", NOT_FOUND),
  get("/feeds/mainnet/.atom", NOT_FOUND),
  get("/feeds/mainnet/rug.xml", NOT_FOUND),
  get("/exports/mainnet/history/7.json", NOT_FOUND),
  ask("POST", "/", NOT_FOUND),
  ask("OPTIONS", "/validators", NOT_FOUND),
  ask("HEAD", "/api/v1/nothing", NOT_FOUND),

  // Other spellings of a path.
  get("/api/v1/./validators", { object: "api/v1/mainnet/validators.json" }),
  get("/api/v1/x/%2e%2E/epoch", { proxy: "/api/v1/epoch" }),
  get("/api/v1/%65poch", { proxy: "/api/v1/epoch" }),
  get(`/api/v1/validators/%${VOTE.charCodeAt(0).toString(16)}${VOTE.slice(1)}`, {
    object: `api/v1/mainnet/validators/${VOTE}.json`,
  }),
  get("/api/v1/validators/a%2e%2e%zz", invalidPubkey("a%2e%2e%zz")),
  get("/../../api/v1/epoch", { proxy: "/api/v1/epoch" }),
  get("/api/v1\\epoch", { proxy: "/api/v1/epoch" }),
  get('/api/v1/validators/^"<>`{}|é', invalidPubkey("%5E%22%3C%3E%60%7B%7D|%C3%A9")),
  get("/api/v1/epoch/.", NOT_FOUND),

  // The site.
  get("/", { file: "/index.html" }),
  get("/api", { file: "/index.html" }),
  get("/validators?network=testnet&sort=name", { file: "/index.html" }),
  get(`/validators/${VOTE}`, { file: "/index.html" }),
  get("/nothing/of/ours/", { file: "/index.html" }),
  ask("HEAD", "/status", { file: "/index.html" }),
  get("/assets/index-1a2b.js?x", { file: "/assets/index-1a2b.js" }),
  get("/icon.svg", { file: "/icon.svg" }),
  get("/favicon.ico", { file: "/favicon.ico" }),
];
