import { describe, expect, it } from "vitest";
import { parseEndpointUrl } from "../../generator/rpc/endpoint-address.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import { ADDRESS_PARTS, echo, LEAK } from "../observe/secret-address.ts";

const { path, query, credentials, fragment } = ADDRESS_PARTS;
const ADDRESS = `https://${credentials}@rpc.example/v2/${path}/?${query}#${fragment}`;

describe("the secrets of an address", () => {
  const { redact, origin, target, headers } = parseEndpointUrl(ADDRESS, "It");

  it("are kept where they are needed", () => {
    expect(target.href).toBe(`https://rpc.example/v2/${path}/?${query}`);
    expect(headers["authorization"]).toMatch(/^Basic /);
    expect(origin).toBe("https://rpc.example");
  });

  it.each(
    Object.entries(
      echo({ url: `/v2/${path}/?${query}`, authorization: headers["authorization"] ?? "" }),
    ),
  )("are taken out of a stranger's text: %s", (_, text) => {
    expect(text).toMatch(LEAK);
    expect(redact(text)).not.toMatch(LEAK);
  });

  it("are taken out of a text before it is shortened, wherever the end falls", () => {
    for (let length = 300; length < 400; length++) {
      const text = redact(`${"x".repeat(length)}/v2/${path}/?${query}`);
      expect(text).not.toMatch(LEAK);
      expect(text.length).toBeLessThanOrEqual(400);
    }
  });

  it.each(["\u200b", "\u001b[0m", "\u0000", "\ud800"])(
    "are taken out with %j between their letters",
    (unseen) => {
      const said = `no route for ${Array.from(`/v2/${path}/?${query}`).join(unseen)}`;
      const { message } = new RpcError({ kind: "http", message: said });
      expect(message).toMatch(LEAK);
      expect(redact(message)).not.toMatch(LEAK);
    },
  );

  it("are taken out when they hold themselves what a message does not", () => {
    const parts = parseEndpointUrl(
      "https://rpc.example/?key=zqxjkvw%E2%80%8B-%0Azqxjkvw%1B[0m",
      "It",
    );
    const { message } = new RpcError({
      kind: "http",
      message: "bad key zqxjkvw\u200b-\nzqxjkvw\u001b[0m",
    });
    expect(parts.redact(message)).toBe("bad key…");
  });

  const key = "q7Zk2mVx9TbR4wLs8NcY";
  const encoded = Buffer.from(`{"key":"${key}"}`);
  it.each([
    ["its first half", key.slice(0, 10)],
    ["its last half", key.slice(-10)],
    ["its middle, in capitals", key.slice(4, 14).toUpperCase()],
    ["backwards", Array.from(key).reverse().join("")],
    ["in Base64", Buffer.from(key).toString("base64")],
    ["within more in Base64", encoded.toString("base64")],
    [
      "within more in Base64, a letter later",
      Buffer.from(` ${String(encoded)}`).toString("base64"),
    ],
    ["within more in Base64url", Buffer.from(`  ${String(encoded)}`).toString("base64url")],
    ["in hexadecimal digits", Buffer.from(key).toString("hex")],
  ])("are taken out when a key is told %s", (_, told) => {
    const parts = parseEndpointUrl(`https://rpc.example/?api-key=${key}`, "It");
    const shown = parts.redact(`not let in: ${told} (v2)`);
    expect(shown).toMatch(/^not let in: .*….* \(v2\)$/);
    expect(findShared(readAll(`not let in: ${told} (v2)`), key)).toBeGreaterThan(8);
    expect(findShared(readAll(shown), key)).toBeLessThan(8);
  });

  it.each([
    [
      "do not take the rest of a text with them",
      ADDRESS,
      `error -32000: bad key ${path} (v2)`,
      "error -32000: bad key … (v2)",
    ],
    [
      "are in no text of others",
      ADDRESS,
      "error -32005: Node is behind by 200 slots",
      "error -32005: Node is behind by 200 slots",
    ],
    [
      "are user and password together, however short each is",
      "https://me:pw@rpc.example",
      "not let in: me:pw",
      "not let in: …",
    ],
    [
      "are none where an address has none",
      "https://rpc.example",
      "a v2 in rpc.example",
      "a v2 in rpc.example",
    ],
  ])("%s", (_, address, text, redacted) => {
    expect(parseEndpointUrl(address, "It").redact(text)).toBe(redacted);
  });

  it.each([
    [
      "https://user%zz:pass%zz-word@rpc.example/100%25-path-%zz?key=%zz-value",
      "pass%zz-word 100%-path-%zz %zz-value",
    ],
    ["https://rpc.example/?key=%F0%9F%94%91%F0%9F%94%91", "🔑🔑"],
    ["https://rpc.example/(a+b)[c]{2}.*?k=$&^|", "(a+b)[c]{2}.*"],
  ])("may be of any characters: %s", (address, text) => {
    const parts = parseEndpointUrl(address, "It");
    expect(parts.redact(text)).toMatch(/^(?:… ?)+$/);
  });

  it.each([
    "ftp://host/zqxjkvw-path-key",
    "zqxjkvw-path-key",
    "",
    "https://zqxjkvw key@",
    "http://[zqxjkvw-host",
  ])("are not shown when the address is none: %j", (address) => {
    expect(() => parseEndpointUrl(address, "RPC endpoint 0")).toThrow(
      new Error("RPC endpoint 0 is not an http or https URL"),
    );
  });
});

/** What a program can read in a text: also backwards, in digits, and from any digit on. */
function readAll(text: string): string {
  const words = text.split(/[^\w+/=-]+/);
  const decoded = words.flatMap((word) =>
    [0, 1, 2, 3].flatMap((start) =>
      (["base64", "hex"] as const).map((code) =>
        Buffer.from(word.slice(start), code).toString("latin1"),
      ),
    ),
  );
  return [text, Array.from(text).reverse().join(""), ...decoded].join("\n").toLowerCase();
}

/** Characters of the longest part of a key in a text. */
function findShared(text: string, key: string): number {
  let longest = 0;
  for (let start = 0; start < key.length; start += 1)
    while (
      start + longest < key.length &&
      text.includes(key.slice(start, start + longest + 1).toLowerCase())
    )
      longest += 1;
  return longest;
}
