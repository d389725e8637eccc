import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { OPERATION_TAGS } from "../../generator/contract/openapi-operations.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { ERROR_CODES } from "../../generator/contract/errors.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import {
  findOperation,
  type Operation,
  type Parameter,
  readDescription,
} from "../../public/pages/api/description.ts";
import { toBlocks, toSpans } from "../../public/pages/api/Prose.tsx";
import { fold, readBody, toTrial } from "../../public/pages/api/request.ts";
import { toSample, withExamples } from "../../public/pages/api/sample-code.ts";
import { toCacheRows, toErrorCodes } from "../../public/pages/api/Rules.tsx";
import { createResolver, findFault, toBounds, toFields } from "../../public/pages/api/schemas.ts";

const description = readDescription(JSON.parse(JSON.stringify(openApiDocument())));
const operations = description.tags.flatMap((tag) => tag.operations);

const get = (id: string): Operation => findOperation(description, id)!;
const parameter = (id: string, name: string): Parameter =>
  get(id).parameters.find((row) => row.name === name)!;

describe("the description that the API serves", () => {
  it("is shown whole, in its own order", () => {
    expect(description.tags.map(({ name }) => name)).toEqual(Object.keys(OPERATION_TAGS));
    const ids = Object.values(OPERATIONS).map(({ operationId }) => operationId);
    expect(operations.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(description.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("leaves nothing blank that a reader looks for", () => {
    for (const { path, summary, description, parameters, answers } of operations) {
      const named = [...parameters, ...answers.flatMap(({ headers }) => headers)];
      const texts = [...named, ...answers, { description }].map((one) => one.description);
      expect([path, summary, ...named.map(({ name }) => name), ...texts], path).not.toContain("");
    }
  });

  it("has parameters with place and bounds, their references followed", () => {
    const schema = { type: "integer", minimum: 1, maximum: 100, default: 50 };
    expect(parameter("listValidators", "limit")).toMatchObject({
      place: "query",
      isRequired: false,
      schema,
    });
    expect(parameter("getValidator", "votePubkey")).toMatchObject({
      place: "path",
      isRequired: true,
    });
  });

  it("names every field of a document with its path, through lists and references", () => {
    const fields = new Map(
      get("listValidators").answers[0]?.fields.map((field) => [field.path, field]),
    );
    expect(fields.get("data")?.type).toBe("list of object");
    expect(fields.get("data[].activeStake.lamports")).toMatchObject({
      type: "text",
      isNullable: false,
    });
    expect(fields.get("data[].name")).toMatchObject({ type: "text", isNullable: true });
    expect(fields.get("meta.totalPages")).toMatchObject({ type: "integer", isOptional: false });
  });

  it("gives every code of the contract that an operation can answer, once and by status", () => {
    const codes = toErrorCodes(description);
    expect(codes.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
    expect(codes).toEqual(codes.toSorted((one, other) => one.status - other.status));
    expect(codes.find(({ code }) => code === "rate_limited")).toMatchObject({ status: 429 });
    expect(codes.map(({ message }) => message)).not.toContain("");
  });

  it("tells of every operation how long its answer is kept", () => {
    const rows = toCacheRows(description);
    expect(rows.flatMap((row) => row.operations)).toHaveLength(operations.length);
    expect(rows.find((row) => row.operations.includes(get("listEvents")))?.cacheControl).toContain(
      "s-maxage=60",
    );
  });
});

describe("a description that is not what it should be", () => {
  it.each([
    null,
    [],
    "text",
    { paths: { "/a": { get: null } }, tags: [null] },
    { tags: {}, paths: [] },
  ])("is shown as far as it goes: %j", (document) =>
    expect(readDescription(document).tags.flatMap((tag) => tag.operations)).toEqual([]),
  );

  it("has no operation of an unknown name, and none without one", () =>
    expect(["nothing", undefined].map((id) => findOperation(description, id))).toEqual([
      null,
      null,
    ]));

  it("ends where references go in a circle, or schemas hold themselves", () => {
    expect(createResolver({ a: { $ref: "#/b" }, b: { $ref: "#/a" } })({ $ref: "#/a" })).toEqual({});
    const tree = { node: { type: "object", properties: { child: { $ref: "#/node" } } } };
    const isBounded = ({ length }: unknown[]) => length > 1 && length < 20;
    expect(toFields({ $ref: "#/node" }, createResolver(tree))).toSatisfy(isBounded);
  });

  it("follows references whose names hold slashes and tildes, and nowhere outside of it", () => {
    const resolve = createResolver({ paths: { "/a~b": { summary: "here" } } });
    expect(resolve({ $ref: "#/paths/~1a~0b" })).toEqual({ summary: "here" });
    expect(resolve({ $ref: "#/paths/~1a~0b", summary: "beside" })).toEqual({ summary: "beside" });
    expect(resolve({ $ref: "https://elsewhere.example/#/a" })).toEqual({});
    expect(resolve({ $ref: "#/constructor/prototype" })).toEqual({});
  });
});

describe("the prose of the description", () => {
  const text = (text: string) => ({ kind: "text", text });

  it("becomes headings, paragraphs and code", () => {
    expect(toBlocks("One `a` two.\n\n## Limits\n\n\nThree.\n")).toEqual([
      { kind: "paragraph", spans: [text("One "), { kind: "code", text: "a" }, text(" two.")] },
      { kind: "heading", spans: [text("Limits")] },
      { kind: "paragraph", spans: [text("Three.")] },
    ]);
  });

  it("is shown as it is written elsewhere", () => {
    expect(toSpans("<b>2 * 3</b> and a lone ` tick")).toEqual([
      text("<b>2 * 3</b> and a lone ` tick"),
    ]);
    expect(toBlocks("")).toEqual([]);
  });
});

describe("a value for a parameter", () => {
  const KEY = "D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK";

  it.each([
    ["listValidators", "limit", "a whole number from 1 to 100"],
    ["listValidators", "page", "a whole number of 1 or more"],
    ["listValidators", "network", "mainnet, testnet or alpenglow"],
    ["listValidators", "If-None-Match", "any text"],
    ["listValidators", "commissionMax", "a number from 0 to 100"],
    ["listEvents", "severity", "RUG, CAUTION or INFO, or several with commas between, at most 3"],
    [
      "getValidator",
      "votePubkey",
      "text from 32 to 44 characters that fits ^[1-9A-HJ-NP-Za-km-z]{32,44}$",
    ],
    ["searchValidators", "q", "text of 2 or more characters"],
  ])("has bounds that people can read: %s %s", (id, name, bounds) =>
    expect(toBounds(parameter(id, name).schema)).toBe(bounds),
  );

  it.each([
    ["listValidators", "limit", ["1", "100", ""], ["0", "101", "1.5", "-1", "ten", " 5", "1e2"]],
    ["listValidators", "network", ["testnet", ""], ["devnet", "Mainnet"]],
    ["listEvents", "severity", ["RUG", "RUG,INFO", ""], ["rug", "RUG,", "RUG, INFO"]],
    ["listValidators", "commissionMin", ["0", "5.25", "100"], ["101", "-1", "ten", "5 %"]],
    ["listValidators", "votePubkeys", [KEY, `${KEY},${KEY}`], ["abc", `${KEY},`]],
    [
      "getValidator",
      "votePubkey",
      [KEY],
      ["", "abc", `${KEY}0`, KEY.replace("D", "0"), `${KEY}${KEY}`],
    ],
    ["searchValidators", "q", ["ab", "  ab  ", "𝒜𝒷"], ["", "a", "𝒜", "   "]],
  ])("is taken or refused as the API does: %s %s", (id, name, taken, refused) => {
    for (const text of taken) expect(findFault(parameter(id, name), text), text).toBeNull();
    for (const text of refused) expect(findFault(parameter(id, name), text), text).toContain(name);
  });
});

describe("the request of a form", () => {
  it.each([
    [
      "has values where they belong, and nothing of what was left empty",
      "testnet",
      "7",
      "testnet/history/7",
    ],
    [
      "keeps a value of a path within its place",
      "../{epoch}",
      "$&?#",
      "..%2F%7Bepoch%7D/history/%24%26%3F%23",
    ],
  ])("%s", (_, network, epoch, place) => {
    const places = { network: "path", epoch: "path", q: "query", page: "query" };
    const parameters = Object.entries(places).map(
      ([name, place]) => ({ name, place }) as Parameter,
    );
    const trial = toTrial(
      { path: "/exports/{network}/history/{epoch}.csv", parameters },
      { network, epoch, q: "a b&c", page: "" },
    );
    expect(trial).toEqual({ target: `/exports/${place}.csv?q=a+b%26c`, headers: [] });
  });
});

describe("a code sample", () => {
  const etag = `"it's $HOME \`id\` \\"`;
  const trial = { target: "/a?q='x'", headers: [["If-None-Match", etag] as [string, string]] };
  const toCode = (language: "curl" | "TypeScript" | "Python", isJson = true) =>
    toSample(language, trial, { origin: "http://127.0.0.1", isJson });

  it("reaches curl as it is, whatever signs are in it", () => {
    const words = execFileSync("sh", ["-c", toCode("curl").replace(/^curl/, "printf '%s\\n'")], {
      encoding: "utf8",
    });
    expect(words.trimEnd().split("\n")).toEqual([
      "-H",
      `If-None-Match: ${etag}`,
      "http://127.0.0.1/a?q='x'",
    ]);
  });

  it("is a program of TypeScript that asks for it and fails where the answer is an error", async () => {
    const run = async (code: string, status: number) => {
      const asked: unknown[] = [];
      const fetch = (...request: unknown[]) => {
        asked.push(request);
        return Promise.resolve(new Response('{"data":[1],"meta":{}}', { status }));
      };
      const told: unknown[] = [];
      const console = { log: (...all: unknown[]) => told.push(all) };
      await (runInNewContext(`(async () => { ${code} })()`, { fetch, console }) as Promise<void>);
      return { asked, told };
    };
    const asked = [["http://127.0.0.1/a?q='x'", { headers: { "If-None-Match": etag } }]];
    expect(await run(toCode("TypeScript"), 200)).toEqual({ asked, told: [[[1], {}]] });
    expect(await run(toCode("TypeScript", false), 200)).toEqual({
      asked,
      told: [['{"data":[1],"meta":{}}']],
    });
    await expect(run(toCode("TypeScript"), 404)).rejects.toThrow("404");
  });

  it("quotes for Python as for JSON", () => {
    const code = toCode("Python");
    expect(code).toContain(
      `Request("http://127.0.0.1/a?q='x'", headers={"If-None-Match": ${JSON.stringify(etag)}})`,
    );
    expect(toCode("Python", false)).not.toContain("json");
  });

  it("takes examples, or the first choice, for what is needed, and leaves the rest to the reader", () => {
    const parameter = (name: string, isRequired: boolean, example: string | null, schema = {}) =>
      ({ name, isRequired, example, schema }) as Parameter;
    const feeds = { enum: ["events", "rug"] };
    const needed = [parameter("vote", true, "Vote1"), parameter("feed", true, null, feeds)];
    const filled = withExamples([...needed, parameter("limit", false, "5")], {
      vote: "bad",
      limit: "9",
    });
    expect(filled).toEqual({ vote: "Vote1", feed: "events", limit: "9" });
  });
});

describe("a body", () => {
  it.each([
    [
      "pretty where it is JSON",
      '{"a":[1]}',
      "application/json; charset=utf-8",
      '{\n  "a": [\n    1\n  ]\n}',
    ],
    ["as it came where it is not", "{no", "application/json", "{no"],
    ["as it came where it is another text", "a,b\r\n", "text/csv; header=present", "a,b\r\n"],
    ["no text where it is a file", "PAR1", "application/vnd.apache.parquet", null],
    ["empty where there is none", null, "text/plain", ""],
  ])("is %s", async (_, sent, type, text) => {
    const body = await readBody(new Response(sent, { headers: { "content-type": type } }));
    expect(body).toEqual({ text, bytes: sent?.length ?? 0, isWhole: true });
  });

  it("is read no further than its bound, and says so", async () => {
    let chunks = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      chunks += 1;
      controller.enqueue(new Uint8Array(10).fill(97));
    };
    const endless = new ReadableStream<Uint8Array>({ pull });
    const body = await readBody(
      new Response(endless, { headers: { "content-type": "text/plain" } }),
      25,
    );
    expect(body).toEqual({ text: "a".repeat(30), bytes: 30, isWhole: false });
    expect(chunks).toBeLessThan(6);
  });

  it("is folded by lines", () => {
    expect(fold("a\nb\nc", 2)).toEqual({ shown: "a\nb", more: 1 });
    expect(fold("a\nb", 2)).toEqual({ shown: "a\nb", more: 0 });
  });
});
