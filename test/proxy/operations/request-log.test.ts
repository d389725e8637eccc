import { describe, expect, it } from "vitest";
import { openGoneEndpoint } from "./_endpoint.ts";
import { startProcess, toUrl, type ProxyProcess } from "./_process.ts";

const CLIENT = "203.0.113.77";

/** A proxy whose clusters have keys in their addresses, and are gone. */
async function startWithKeys(environment: Record<string, string> = {}): Promise<ProxyProcess> {
  const endpoint = await openGoneEndpoint();
  return startProcess({
    TRUST_PROXY: "1",
    MAINNET_RPC_URLS: `${endpoint}/k3y-of-mainnet`,
    TESTNET_RPC_URLS: endpoint.replace("//", "//k3y-user:k3y-pass@"),
    ...environment,
  });
}

/** Asks what shows a client, a search and keys to the process, and lets it end. */
async function ask({ pid, until, exited }: ProxyProcess): Promise<void> {
  const url = toUrl(await until(/^listening on /));
  const headers = { "x-forwarded-for": CLIENT };
  for (const path of ["/api/v1/search?q=s3cret-q", "/s3cret-path", "/api/v1/epoch", "/api/v1/epoch?network=testnet"])
    await (await fetch(url + path, { headers })).text();
  process.kill(pid, "SIGTERM");
  expect(await exited).toBe(0);
}

describe("the log of a process", () => {
  it("has a line for each request if asked for, and tells neither who asked, nor for what, nor any key", async () => {
    const proxy = await startWithKeys({ LOG_REQUESTS: "1" });
    await ask(proxy);
    const requests = proxy.lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ message }) => message === "request");
    expect(requests).toMatchObject([
      { level: "info", method: "GET", route: "/api/v1/search", status: 200 },
      { level: "info", method: "GET", route: "unknown", status: 404 },
      { level: "info", method: "GET", route: "/api/v1/epoch", status: 503 },
      { level: "info", method: "GET", route: "/api/v1/epoch", status: 503 },
    ]);
    for (const { milliseconds, sentBytes } of requests) {
      expect(milliseconds).toBeGreaterThan(0);
      expect(sentBytes).toBeGreaterThan(200);
    }
    const text = proxy.lines.join("\n");
    expect(text).toContain("cannot read the epoch of mainnet");
    expect(text).not.toMatch(/203\.0\.113|s3cret|k3y/);
  });

  it("has none by default", async () => {
    const proxy = await startWithKeys();
    await ask(proxy);
    expect(proxy.lines.join("\n")).toContain('"message":"starting"');
    expect(proxy.lines.join("\n")).not.toContain('"message":"request"');
  });
});
