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
    expect(parts.redact(message)).toBe("bad key …");
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
