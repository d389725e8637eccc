import { execFileSync, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Linter } from "eslint";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import type { ObjectKind } from "../../generator/contract/objects.ts";
import { findRoute } from "../../infra/aws/routes.ts";
import { makeRequests } from "../proxy/fuzz/requests.ts";
import { makeDirectory } from "../store/directory.ts";
import { isAsked, NAMED, PATHS, rewrite, script, VOTE } from "./_edge.ts";

describe("the edge function", () => {
  it.each(PATHS)(
    "turns $path into its object's key where that is another, and leaves the rest",
    ({ key, path }) => {
      const isObject = findRoute(path)?.origin === "bucket";
      for (const [query, network] of [
        ["", "mainnet"],
        ["?", "mainnet"],
        ["?network=testnet", "testnet"],
        ["?n%65twork=alpengl%6fw", "alpenglow"],
      ] as const) {
        const rewritten = rewrite(path + query);
        if (!isObject || !path.startsWith("/api/")) expect(rewritten.split("?")[0]).toBe(path);
        else expect(rewritten).toBe(`/${toObjectKey(network, key as ObjectKind, NAMED as never)}`);
      }
      const others = [
        "network=devnet",
        "network=",
        "network=testnet&network=mainnet",
        "page=2&network=testnet",
        "x",
      ];
      for (const query of others) expect(rewrite(`${path}?${query}`)).toBe(`${path}?${query}`);
    },
  );

  it.each([
    ["/", "/index.html"],
    ["/api", "/index.html"],
    ["/validators?network=testnet&sort=name", "/index.html"],
    [`/validators/${VOTE}`, `/pages/mainnet/${VOTE}.html`],
    [`/validators/${VOTE}?sort=name&network=testnet`, `/pages/testnet/${VOTE}.html`],
    [`/validators/${VOTE}?network=devnet`, `/pages/mainnet/${VOTE}.html`],
    [`/validators/${VOTE}/`, `/validators/${VOTE}/`],
    ["/nothing/here", "/nothing/here"],
    ["/assets/index-1a2b.js?x", "/assets/index-1a2b.js?x"],
    ["/favicon.ico", "/favicon.ico"],
    ["/client.d.ts", "/client.d.ts"],
    ["/.well-known/api-catalog", "/.well-known/api-catalog"],
    ["/API/v1/validators", "/API/v1/validators"],
    ["/feeds", "/feeds"],
    ["/metrics", "/metrics"],
    ["/api/v1/validators/abc", "/api/v1/validators/abc"],
    [`/api/v1/validators/${"1".repeat(45)}`, `/api/v1/validators/${"1".repeat(45)}`],
    ["/api/v1/epochs/01/events", "/api/v1/epochs/01/events"],
    ["/api/v1/epochs/9007199254740993/events", "/api/v1/epochs/9007199254740993/events"],
    // Nobody gets an object by its key, nor what whoever runs the proxy asks it.
    ["/api/v1/mainnet/index.json", "/api/v1/mainnet/index.json/"],
    [`/pages/mainnet/${VOTE}.html`, `/pages/mainnet/${VOTE}.html/`],
    ["/healthz", "/healthz/"],
  ])("makes of %s: %s", (target, rewritten) => {
    expect(rewrite(target)).toBe(rewritten);
  });

  it("is small, and written in what CloudFront's runtime knows whole", () => {
    expect(Buffer.byteLength(script)).toBeLessThan(4_096);
    const messages = new Linter().verify(script, {
      languageOptions: { ecmaVersion: 5, sourceType: "script" },
      rules: { "no-undef": "error" },
    });
    expect(messages.map(({ message }) => message)).toEqual([]);
  });
});

/**
 * nginx's JavaScript engine, which has the features that
 * CloudFront lists for its runtime; Debian has it as `njs`.
 */
const hasNjs = spawnSync("njs", ["-v"]).status === 0;

describe.skipIf(!hasNjs)("the edge function in njs", () => {
  it("rewrites as it does here", async () => {
    const made = fc.sample(makeRequests(), { numRuns: 1_000, seed: 1 }).map(({ target }) => target);
    const targets = [...PATHS.map(({ path }) => path), ...made.filter(isAsked)].filter(
      ({ length }) => length < 1_000,
    );
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    const file = join(directory, "edge.js");
    await writeFile(file, `${script}\nvar targets = ${JSON.stringify(targets)};\n${rewriteAll}`);
    const lines = execFileSync("njs", [file], { encoding: "utf8", maxBuffer: 1e8 })
      .trim()
      .split("\n");
    const expected = targets.map((target) => JSON.stringify(rewrite(target)));
    expect(lines.filter((line, place) => line !== expected[place])).toEqual([]);
  });
});

const rewriteAll = `targets.forEach(function (target) {
  var mark = target.indexOf("?");
  var query = mark === -1 ? undefined : target.slice(mark + 1);
  var uri = mark === -1 ? target : target.slice(0, mark);
  var request = handler({ request: { uri: uri, querystring: {}, rawQueryString: function () { return query; } } });
  console.log(JSON.stringify(request.querystring === "" ? request.uri : request.uri + "?" + request.querystring));
});`;
