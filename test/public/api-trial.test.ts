import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { type Parameter, readDescription } from "../../public/pages/api/description.ts";
import { fold, readBody, toCurl, toTrial } from "../../public/pages/api/request.ts";
import { findFault, toBounds } from "../../public/pages/api/schemas.ts";

const KEY = "D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK";
const operations = readDescription(openApiDocument()).tags.flatMap((tag) => tag.operations);

describe("a value for a parameter", () => {
  it.each([
    ["listValidators", "limit", "a whole number from 1 to 100"],
    ["listValidators", "page", "a whole number of 1 or more"],
    ["listValidators", "network", "mainnet, testnet or alpenglow"],
    ["listValidators", "If-None-Match", "any text"],
    ["getValidator", "votePubkey", "text from 32 to 44 characters that fits ^[1-9A-HJ-NP-Za-km-z]{32,44}$"],
    ["searchValidators", "q", "text of 2 or more characters"],
  ])("has bounds that people can read: %s %s", (id, name, bounds) => {
    expect(toBounds(parameter(id, name).schema)).toBe(bounds);
  });

  it.each([
    ["listValidators", "limit", ["1", "100", ""], ["0", "101", "1.5", "-1", "ten", " 5", "1e2"]],
    ["listValidators", "network", ["testnet", ""], ["devnet", "Mainnet"]],
    ["listEvents", "severity", ["RUG", ""], ["rug", "RUG,INFO"]],
    ["getValidator", "votePubkey", [KEY], ["", "abc", `${KEY}0`, KEY.replace("D", "0"), `${KEY}${KEY}`]],
    ["searchValidators", "q", ["ab", "  ab  ", "𝒜𝒷"], ["", "a", "𝒜", "   "]],
  ])("is taken or refused as the API does: %s %s", (id, name, taken, refused) => {
    for (const text of taken) expect(findFault(parameter(id, name), text), text).toBeNull();
    for (const text of refused) expect(findFault(parameter(id, name), text), text).toContain(name);
  });
});

describe("the request of a form", () => {
  const path = "/exports/{network}/history/{epoch}.csv";
  const row = (name: string, place: Parameter["place"]): Parameter => ({
    name,
    place,
    isRequired: false,
    description: "",
    schema: {},
    example: null,
  });

  it("has values where they belong, and nothing of what was left empty", () => {
    const parameters = [row("network", "path"), row("epoch", "path"), row("q", "query"), row("page", "query")];
    const values = { network: "testnet", epoch: "7", q: "a b&c", page: "" };
    expect(toTrial({ path, parameters }, values)).toEqual({
      target: "/exports/testnet/history/7.csv?q=a+b%26c",
      headers: [],
    });
  });

  it("keeps a value of a path within its place", () => {
    const parameters = [row("network", "path"), row("epoch", "path")];
    const { target } = toTrial({ path, parameters }, { network: "../{epoch}", epoch: "$&?#" });
    expect(target).toBe("/exports/..%2F%7Bepoch%7D/history/%24%26%3F%23.csv");
  });

  it("reaches curl as it is, whatever signs are in it", () => {
    const etag = `"it's $HOME \`id\` \\"`;
    const command = toCurl({ target: "/a?q='x'", headers: [["If-None-Match", etag]] }, "http://127.0.0.1");
    const words = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8" });
    expect(words.trimEnd().split("\n")).toEqual(["-H", `If-None-Match: ${etag}`, "http://127.0.0.1/a?q='x'"]);
  });
});

describe("a body", () => {
  const json = { "content-type": "application/json; charset=utf-8" };

  it("is pretty where it is JSON, and as it came where it is not", async () => {
    expect(await readBody(new Response('{"a":[1]}', { headers: json }))).toEqual({
      text: '{\n  "a": [\n    1\n  ]\n}',
      bytes: 9,
      isWhole: true,
    });
    expect((await readBody(new Response("{no", { headers: json }))).text).toBe("{no");
    const csv = { "content-type": "text/csv; header=present" };
    expect((await readBody(new Response("a,b\r\n", { headers: csv }))).text).toBe("a,b\r\n");
  });

  it("is no text where it is a file, and none where there is none", async () => {
    const file = { "content-type": "application/vnd.apache.parquet" };
    expect(await readBody(new Response("PAR1", { headers: file }))).toEqual({ text: null, bytes: 4, isWhole: true });
    expect(await readBody(new Response(null, { status: 304 }))).toEqual({ text: "", bytes: 0, isWhole: true });
  });

  it("is read no further than its bound, and says so", async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new Uint8Array(10).fill(97));
      },
    });
    const body = await readBody(new Response(endless, { headers: { "content-type": "text/plain" } }), 25);
    expect(body).toEqual({ text: "a".repeat(30), bytes: 30, isWhole: false });
    expect(chunks).toBeLessThan(6);
  });

  it("is folded by lines", () => {
    expect(fold("a\nb\nc", 2)).toEqual({ shown: "a\nb", more: 1 });
    expect(fold("a\nb", 2)).toEqual({ shown: "a\nb", more: 0 });
  });
});

function parameter(id: string, name: string): Parameter {
  const found = operations.find((operation) => operation.id === id)?.parameters.find((row) => row.name === name);
  if (found === undefined) throw new Error(`${id} has no ${name}.`);
  return found;
}
