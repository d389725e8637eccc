import { describe, expect, it } from "vitest";
import { getSecrets, readSettings } from "../../../proxy/settings.ts";
import { createLog } from "../../../proxy/operations/log.ts";
import { createRedaction } from "../../../proxy/operations/log.ts";

const ADDRESSES = [
  "https://rpc.example/v2/0a1b2c3d4e5f60718293",
  "https://user:pa%24%24word@rpc.example/mainnet",
  "https://rpc.example/?api-key=abcdef0123456789",
];

describe("what a log leaves out", () => {
  const redact = createRedaction(ADDRESSES);

  it.each([
    ["an address", `fetch ${ADDRESSES[0]} failed`],
    ["a path alone", "GET /v2/0a1b2c3d4e5f60718293 HTTP/1.1"],
    ["a password as it was written", "AUTH user pa%24%24word"],
    ["a password as it was meant", "AUTH user pa$$word"],
    ["a query", "?api-key=abcdef0123456789"],
    ["a value of a query", "bad key abcdef0123456789"],
  ])("is %s", (_, text) => {
    const shown = redact(text);
    expect(shown).toContain("(not shown)");
    expect(shown).not.toMatch(/0a1b2c|pa%24|pa\$\$|abcdef/);
  });

  it("is no word that also stands in an address", () => {
    const text = "cannot read api/v1/mainnet/index.json at https://rpc.example";
    expect(redact(text)).toBe(text);
  });

  it("is no address without a path, which holds no key and tells who failed", () => {
    const text = "https://rpc.example#0 getEpochInfo: ENOTFOUND";
    expect(createRedaction(["https://rpc.example", "https://rpc.example/"])(text)).toBe(text);
  });

  it("is every secret of the settings, in a message, a field, an error and the causes of it", () => {
    const settings = readSettings({
      MAINNET_RPC_URLS: "https://one.example/k3y-of-one-0123,https://two.example/?k=k3y-of-two-0123",
      VALKEY_URL: "redis://operator:k3y-of-valkey@cache.example",
      RUGWATCH_PUBLIC: "https://data.example/k3y-of-store-0123",
    });
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { log } = createLog({ write, now: () => 0, level: "info", redact: createRedaction(getSecrets(settings)) });
    for (const secret of ["k3y-of-one-0123", "k3y-of-two-0123", "k3y-of-valkey", "k3y-of-store-0123"]) {
      const cause = new Error(`GET /${secret}`, { cause: new Error(secret) });
      const fields = { text: `=${secret}` };
      log({ level: "warn", message: `about ${secret}`, fields, error: new Error(`no ${secret}`, { cause }) });
      log({ level: "warn", message: "of a library that throws what is no error", error: secret });
    }
    expect(lines).toHaveLength(5);
    expect(lines.join("")).not.toContain("k3y");
  });
});
