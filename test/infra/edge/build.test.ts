import { beforeAll, describe, expect, it } from "vitest";
import { assertRunnable, buildEdgeFunction, FUNCTION_MAX_BYTES } from "../../../infra/edge/build.ts";
import { openHandler } from "../../../infra/edge/sandbox.ts";

let script: string;
beforeAll(async () => {
  script = await buildEdgeFunction();
});

const INDEX = 'event.request.uri = "/index.html"; return event.request;';
const answering = (body: string) => `function handler(event) { ${body}; ${INDEX} }`;

describe("the source of the edge function", () => {
  it("is small enough for CloudFront", () => {
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(FUNCTION_MAX_BYTES);
  });

  it("is one script: it imports and exports nothing", () => {
    expect(script).not.toMatch(/^\s*(?:import|export)\b|\brequire\(/m);
    expect(script).toMatch(/^function handler\(event\) \{$/m);
  });

  it("is the same whenever it is built", async () => {
    expect(await buildEdgeFunction()).toBe(script);
  });

  it("tells of the limit that it was built for", async () => {
    const stricter = await buildEdgeFunction({ rateLimitPerMinute: 7 });
    const event = { request: { ...toEvent().request, uri: "/api/v1/nothing" } };
    expect(openHandler(stricter)(event)).toMatchObject({
      headers: { "x-ratelimit-limit": { value: "7" }, "ratelimit-policy": { value: '"default";q=7;w=60' } },
    });
  });

  it("carries no code of the contract's schemas", () => {
    expect(script).not.toMatch(/zod|ZodType|safeParse/);
  });
});

describe("a function is not built", () => {
  it("if it is a byte too long", () => {
    const padded = script + " ".repeat(FUNCTION_MAX_BYTES - Buffer.byteLength(script));
    expect(() => assertRunnable(padded)).not.toThrow();
    expect(() => assertRunnable(`${padded} `)).toThrow(
      "The edge function has 10241 bytes. CloudFront takes at most 10240.",
    );
  });

  it.each([
    ["optional chaining", "event.context?.x"],
    ["nullish coalescing", "event.x ?? 1"],
    ["a catch without a name", "try { event(); } catch { }"],
    ["destructuring", "const { request } = event"],
    ["destructuring of arrays", "const [a] = [1]"],
    ["destructuring of arguments", "[1].map(([a]) => a)"],
    ["spread", "Math.max(...[1])"],
    ["spread of objects", "const a = { ...event }"],
    ["for…of", "for (const a of [1]) a"],
    ["default values", "const a = (b = 1) => b"],
    ["a class", "class A {}"],
    ["a generator", "function* a() {}"],
    ["a short property", "const a = 1, b = { a }"],
    ["a method", "const b = { a() {} }"],
    ["a tagged template", "String.raw`a`"],
    ["a Unicode expression", "/a/u.test('a')"],
    ["look-behind", "/(?<=a)b/.test('b')"],
    ["a module", "require('crypto')"],
    ["the network", "fetch('https://example.com')"],
    ["a timer", "setTimeout(() => 1, 1)"],
    ["URL", "new URL('https://example.com')"],
    ["TextDecoder", "new TextDecoder()"],
    ["BigInt", "BigInt(1)"],
    ["Map", "new Map()"],
    ["Promise", "Promise.resolve(1)"],
    ["eval", "eval('1')"],
    ["normalize", "'a'.normalize()"],
    ["matchAll", "'a'.matchAll(/a/g)"],
    ["at", "[1].at(0)"],
    ["flatMap", "[1].flatMap((a) => a)"],
    ["toSorted", "[1].toSorted()"],
    ["Object.fromEntries", "Object.fromEntries([])"],
    ["Object.hasOwn", "Object.hasOwn({}, 'a')"],
  ])("with what the runtime lacks: %s", (_, code) => {
    expect(() => assertRunnable(answering(code))).toThrow(/lacks:\nline 1: /);
  });

  it("if it does not answer", () => {
    expect(() => assertRunnable(answering(""))).not.toThrow();
    expect(() => assertRunnable("function handler() { return { statusCode: 500 }; }")).toThrow("instead of the site");
    expect(() => assertRunnable("function answer() { return 1; }")).toThrow("handler is not defined");
  });
});

describe("the engine that it is tried in", () => {
  it.each(["normalize", "at", "matchAll", "localeCompare"])("has no String.prototype.%s", (method) => {
    expect(() => openHandler(answering(`"a"["${method}"]("a")`))(toEvent())).toThrow("is not a function");
  });

  it.each(["Map", "Set", "Promise", "Intl", "URL", "BigInt", "Reflect", "WebAssembly", "console"])(
    "has no %s",
    (name) => {
      expect(() => openHandler(answering(`${name}["x"]`))(toEvent())).toThrow(`${name} is not defined`);
    },
  );

  it("is strict", () => {
    expect(() => openHandler(answering("undeclared = 1"))(toEvent())).toThrow("undeclared is not defined");
  });
});

function toEvent() {
  return { request: { method: "GET", uri: "/", querystring: {}, rawQueryString: () => undefined } };
}
