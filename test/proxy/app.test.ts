import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { ERROR_CODES, type ErrorCode } from "../../generator/contract/errors.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { toApiAddress } from "../../generator/contract/addresses.ts";
import { errorExamples } from "../../generator/contract/openapi-errors.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";
import { createWorld, describeProxy, readError } from "./_setup.ts";
import { LATEST_EPOCH, MAINNET, toPubkey } from "./fixtures.ts";
import { HOSTILE_PATHS, HOSTILE_TEXTS } from "./fuzz/hostile.ts";

/** Every operation with an address that mainnet answers, which names no default. */
const ADDRESSED = Object.values(OPERATIONS).map((operation: Operation) => {
  const { path } = operation;
  const address = path
    .replace("{votePubkey}", toPubkey(1))
    .replace("{pubkey}", toPubkey(1))
    .replace("{epoch}", String(path.startsWith("/exports/") ? LATEST_EPOCH - 1 : LATEST_EPOCH))
    .replace("{network}", "mainnet")
    .replace("{month}", PARAMETERS.month.example)
    .replace("{feed}", "rug")
    .replace(/search$/, "search?q=validator")
    .replace(/mainnet\.atom$/, `mainnet.atom?votes=${toPubkey(1)}`);
  return { ...operation, address };
});
const PATHS = ADDRESSED.map(({ address }) => address);
const QUERIED = ADDRESSED.flatMap(({ address, parameters }) =>
  parameters
    .map((key): Parameter => PARAMETERS[key])
    .filter((parameter) => parameter.in === "query" && parameter.name !== "network")
    .map((parameter) => ({ address, parameter })),
);
/** By address, what lies in the store. */
const PUBLISHED = new Map(
  MAINNET.map(({ key, body }) => [toApiAddress(key)?.path ?? `/${key}`, body]),
);
const EXPOSED =
  "Age, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Data-Stale, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
const BUG = "Something went wrong on our side, not in your request. Try again later.";

const readLimits = ({ headers }: Response) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

describeProxy("every operation", (_, request) => {
  it.each(ADDRESSED)(
    "answers GET $address, HEAD the same, and 304 to who has it",
    async ({ address, ...operation }) => {
      const response = await request(address);
      const body = Buffer.from(await response.arrayBuffer());
      const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
      const headers = {
        "content-type": operation.contentType ?? CONTENT_TYPE,
        "content-length": String(body.byteLength),
        "cache-control": CACHE_CLASSES[operation.cache],
        etag,
        "access-control-allow-origin": "*",
      };
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
      // Lists by query are made of the index; all else lies in the store as it is answered.
      const published = PUBLISHED.get(address);
      if (published !== undefined) expect(body.equals(published)).toBe(true);
      expect(response.headers.get("access-control-expose-headers")).toBe(EXPOSED);
      expect(readLimits(response)).toEqual(["100000", "99999", "60"]);
      const head = await request(address, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(Object.fromEntries(head.headers)).toMatchObject(headers);
      for (const method of ["GET", "HEAD"]) {
        const again = await request(address, { method, headers: { "if-none-match": etag } });
        expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([
          304,
          "",
          etag,
        ]);
      }
    },
  );

  it.each(ADDRESSED.filter(({ path }) => path !== OPERATIONS.openapi.path))(
    "says in JSON which parameters it ignored: $address",
    async ({ address, contentType = CONTENT_TYPE }) => {
      const text = await (await request(address)).text();
      const withMore = address + (address.includes("?") ? "&" : "?") + "nonsense=1";
      const more = await (await request(withMore)).text();
      if (contentType !== CONTENT_TYPE) {
        expect(more).toBe(text);
        return;
      }
      const { data, meta } = JSON.parse(text) as { data: unknown; meta: object };
      expect(JSON.parse(more)).toEqual({ data, meta: { ...meta, ignored: ["nonsense"] } });
    },
  );

  it.each(QUERIED)(
    "takes $parameter.name of $address within its bounds alone",
    async ({ address, parameter }) => {
      const { name, code, default: preset } = parameter;
      const ask = (...values: string[]) => {
        const [path = "", query = ""] = address.split("?");
        const others = [...new URLSearchParams(query)].filter(
          ([other]) => other !== name || values.length === 0,
        );
        const given = values.map((value): [string, string] => [name, value]);
        return request(`${path}?${new URLSearchParams([...others, ...given]).toString()}`);
      };
      const { good, bad } = valuesOf(parameter);
      for (const value of good) expect([value, (await ask(value)).status]).toEqual([value, 200]);
      for (const value of bad) await readError(await ask(value), 400, code);
      await readError(await ask(good[0]!, good[0]!), 400, code);
      if (preset !== undefined)
        expect(await (await ask(String(preset))).text()).toBe(await (await ask()).text());
    },
  );

  it.each(PATHS)(
    "answers OPTIONS %s, a preflight or not, and refuses to be written",
    async (path) => {
      const allow = "GET, HEAD, OPTIONS";
      const preflight = { origin: "https://page.example", "access-control-request-method": "GET" };
      for (const headers of [{}, preflight]) {
        const response = await request(path, { method: "OPTIONS", headers });
        expect([response.status, await response.text()]).toEqual([204, ""]);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          allow,
          "access-control-allow-origin": "*",
          "access-control-allow-methods": allow,
          "access-control-allow-headers": "*",
        });
      }
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const response = await request(path, { method, body: "{}" });
        await readError(response, 405, "method_not_allowed");
        expect(response.headers.get("allow")).toBe(allow);
        expect(readLimits(response)).not.toContain(null);
      }
    },
  );

  it.each(PATHS)("refuses an unknown network at %s, and a slash behind it", async (path) => {
    await readError(await request(path.replace(/(?=\?|$)/, "/")), 404, "not_found");
    const ask = (network: string) =>
      request(
        isOfNetwork(path)
          ? path.replace("mainnet", network)
          : `${path}${path.includes("?") ? "&" : "?"}network=${network}`,
      );
    if (path.endsWith("openapi.json")) {
      const etags = await Promise.all(
        NETWORKS.map(async (network) => (await ask(network)).headers.get("etag")),
      );
      expect(new Set(etags).size).toBe(1);
      return;
    }
    for (const network of ["devnet", "MAINNET", "mainnet%20", "__proto__", "..%2fstate"]) {
      const message = await readError(await ask(network), 400, "invalid_network");
      expect(message).toMatch(/^network must be one of mainnet, testnet, alpenglow, not "/);
    }
    if (isOfNetwork(path)) return;
    await readError(await ask(""), 400, "invalid_network");
    await readError(await ask("mainnet&network=mainnet"), 400, "invalid_network");
  });
});

/** Values of a parameter that are as good as any, and values that are none. */
const isOfNetwork = (path: string) => /\/mainnet[/.]/.test(path);

function valuesOf({ name, code, min = 0, max = 0, values }: Parameter): {
  good: string[];
  bad: string[];
} {
  const other = name === "votes" ? `${toPubkey(1)},${toPubkey(250)}` : toPubkey(250);
  if (code === "invalid_pubkey")
    return { good: [toPubkey(1), other], bad: ["", "me", `${toPubkey(1)} `] };
  if (values !== undefined) return { good: [...values], bad: ["", "rug", `${values[0]} `, "1"] };
  if (name === "q")
    return { good: ["ab", "  ab  ", "é!", "a".repeat(1_000), "%_\\"], bad: ["", "a", "   a   "] };
  return {
    good: [min, min + 1, max].map(String),
    bad: [String(min - 1), String(BigInt(max) + 1n), "", "x"],
  };
}

describeProxy("requests that fit nothing", (open, request) => {
  it.each([
    "/",
    "/api",
    "/api/v1",
    "/api/v2/validators",
    "/API/v1/validators",
    "/api/v1/validator",
    "/api/v1/validators/a/b",
    "/api/v1//validators",
    "//api/v1/validators",
    "/api/v1/epochs/1",
    "/api/v1/mainnet/index.json",
    "/api/v1/index",
    "/exports/mainnet/other.csv",
    `/exports/mainnet/history/${LATEST_EPOCH - 1}.json`,
    "/favicon.ico",
    "/%ZZ",
    "/api/v1/%ff",
    "/*",
  ])("are answered with 404, for any method: %s", async (path) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await request(path, { method });
      expect(await readError(response, 404, "not_found")).not.toContain("localhost");
    }
  });

  it("are told by path, method, network, path parameters and query in this order", async () => {
    const wrong = "/api/v1/validators/nobody/uptime?network=devnet&days=0";
    await readError(
      await request(wrong.replace("uptime", "nothing"), { method: "POST" }),
      404,
      "not_found",
    );
    await readError(await request(wrong, { method: "POST" }), 405, "method_not_allowed");
    await readError(await request(wrong), 400, "invalid_network");
    await readError(await request(wrong.replace("devnet", "testnet")), 400, "invalid_pubkey");
    const known = wrong.replace("devnet", "testnet").replace("nobody", toPubkey(99));
    await readError(await request(known), 400, "invalid_parameter");
    expect((await request(known.replace("days=0", "days=1"))).status).toBe(200);
  });

  it("are not those whose key a client escaped without need", async () => {
    const key = toPubkey(1);
    const escaped = `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
    expect((await request(`/api/v1/validators/${escaped}`)).status).toBe(200);
  });

  it("read nothing but the documents of the API, wherever they lead", async () => {
    const { world, request } = await open();
    const inPath = HOSTILE_TEXTS.map((text) => encodeURIComponent(text.toWellFormed()));
    const paths = inPath.flatMap((text) => [
      `/api/v1/validators/${text}`,
      `/api/v1/epochs/${text}/events`,
      `/${text}/v1/epoch`,
    ]);
    for (const path of [...HOSTILE_PATHS.filter((one) => one.startsWith("/")), ...paths]) {
      const response = await request(path);
      expect(response.status, path).toBeLessThan(500);
      expect(await response.text(), path).not.toContain("root:");
    }
    expect(world.reads.length).toBeGreaterThan(0);
    const key = /^api\/v1\/(?:mainnet|testnet|alpenglow)\/(?:[\w-]+\/)*[\w-]+\.json$/;
    expect(world.reads.filter((read) => !key.test(read))).toEqual([]);
  });

  it.each(["__proto__", "constructor", "hasOwnProperty", "toString"])(
    "are those with the name of something that every object has: %s",
    async (name) => {
      expect((await request(`/api/v1/validators?limit=1&${name}=x&${name}[limit]=0`)).status).toBe(
        200,
      );
      await readError(await request(`/api/v1/validators?network=${name}`), 400, "invalid_network");
      await readError(await request(`/api/v1/events?severity=${name}`), 400, "invalid_parameter");
      await readError(await request(`/api/v1/validators/${name}`), 400, "invalid_pubkey");
      await readError(await request(`/api/v1/epochs/${name}/events`), 400, "invalid_parameter");
      await readError(await request(`/api/v1/${name}`), 404, "not_found");
    },
  );

  it.each<[ErrorCode, path: string, method?: string]>([
    ["invalid_network", "/api/v1/epoch?network=devnet"],
    ["invalid_pubkey", "/api/v1/validators/abc"],
    ["invalid_parameter", "/api/v1/validators?limit=101"],
    ["validator_not_found", `/api/v1/validators/${"1".repeat(32)}`],
    ["location_not_found", `/api/v1/validators/${"1".repeat(32)}/location`],
    ["not_found", "/api/v1/nothing"],
    ["method_not_allowed", "/api/v1/epoch", "POST"],
  ])(
    "have the message that the API's description shows of %s",
    async (code, path, method = "GET") => {
      const message = await readError(await request(path, { method }), ERROR_CODES[code], code);
      expect(errorExamples()[code]).toEqual({ value: { error: { code, message } } });
    },
  );
});

describe("a bug of ours", () => {
  it.each([new TypeError("secret is undefined"), "just a word"])(
    "is logged and not told: %s",
    async (bug) => {
      const { world, app, limiter } = await createWorld();
      limiter.consume = () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- that it may be no error is the case tested
        throw bug;
      };
      const strangers = `/api/v1/validators/${"secret".repeat(1_000)}`;
      for (const [path, route] of [
        ["/api/v1/events?q=1", "/api/v1/events"],
        [strangers, "/api/v1/validators/{votePubkey}"],
        [`${strangers}/x/y`, "unknown"],
      ] as const) {
        const response = await app.request(path);
        const fields = { requestId: response.headers.get("x-request-id") };
        expect(await readError(response, 500, "internal_error")).toBe(BUG);
        expect(world.log.splice(0)).toEqual([
          { level: "error", message: `GET ${route} failed`, error: bug, fields },
        ]);
      }
    },
  );
});
