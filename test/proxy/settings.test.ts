import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SettingsError } from "../../generator/settings/variables.ts";
import { readSettings } from "../../proxy/settings.ts";

describe("the settings of the proxy", () => {
  it("have defaults that serve what the generator writes on this machine, to this machine", () => {
    expect(readSettings({})).toEqual({
      logLevel: "info",
      logRequests: false,
      metricsPort: null,
      metricsHost: "127.0.0.1",
      siteDirectory: null,
      drainSeconds: 0,
      port: 8080,
      host: "127.0.0.1",
      trustedProxies: { by: "nothing" },
      rateLimitPerMinute: 60,
      valkeyUrl: null,
      publicStore: "file:.data/public",
      rpcUrls: {
        mainnet: ["https://api.mainnet.solana.com"],
        testnet: ["https://api.testnet.solana.com"],
        alpenglow: ["https://alpenglow.rpcpool.com"],
      },
    });
  });

  it("come from the environment; an empty variable is none", async () => {
    const siteDirectory = await mkdtemp(join(tmpdir(), "rugwatch-site-"));
    onTestFinished(() => rm(siteDirectory, { recursive: true }));
    await writeFile(join(siteDirectory, "index.html"), "<!doctype html>");
    const settings = readSettings({
      PORT: "0",
      HOST: "::1",
      TRUST_PROXY: "2",
      RATE_LIMIT_PER_MINUTE: "600",
      RUGWATCH_PUBLIC: "file:/srv/public",
      MAINNET_RPC_URLS: "https://one.example/key, http://two.example",
      TESTNET_RPC_URLS: "",
      LOG_LEVEL: "warn",
      LOG_REQUESTS: "1",
      METRICS_PORT: "9464",
      METRICS_HOST: "0.0.0.0",
      SITE_DIR: siteDirectory,
      DRAIN_SECONDS: "5",
      UNRELATED: "x",
    });
    expect(settings).toMatchObject({
      logLevel: "warn",
      logRequests: true,
      metricsPort: 9464,
      metricsHost: "0.0.0.0",
      siteDirectory,
      drainSeconds: 5,
      port: 0,
      host: "::1",
      trustedProxies: { by: "hops", hops: 2 },
      rateLimitPerMinute: 600,
      publicStore: "file:/srv/public",
      rpcUrls: {
        mainnet: ["https://one.example/key", "http://two.example"],
        testnet: ["https://api.testnet.solana.com"],
      },
    });
  });

  it("say of all that is wrong at once what it is, and what it may be", () => {
    const environment = {
      PORT: "65536",
      TRUST_PROXY: "all",
      RATE_LIMIT_PER_MINUTE: "0",
      RUGWATCH_PUBLIC: "ftp://x",
    };
    const lines = [
      'PORT is "65536": it must be a whole number from 0 to 65535.',
      'TRUST_PROXY is "all": it must be none, a number of hops from 1 to 10, or addresses and CIDR ranges separated by commas, with or without cloudflare: or cloudfront: before them.',
      'RATE_LIMIT_PER_MINUTE is "0": it must be a whole number from 1 to 1000000.',
      "RUGWATCH_PUBLIC is (not shown): it must be file:DIR, s3://BUCKET/PREFIX or https://HOST/PATH.",
    ];
    expect(() => readSettings(environment)).toThrow(new SettingsError(lines.join("\n")));
  });

  it("want a port of its own for the metrics, unless the address is another or any port will do", () => {
    const environment = { PORT: "9464", METRICS_PORT: "9464", RATE_LIMIT_PER_MINUTE: "0" };
    const lines = [
      'RATE_LIMIT_PER_MINUTE is "0": it must be a whole number from 1 to 1000000.',
      'METRICS_PORT is "9464": it must differ from PORT: metrics are not public.',
    ];
    expect(() => readSettings(environment)).toThrow(new SettingsError(lines.join("\n")));
    expect(readSettings({ PORT: "9464", METRICS_PORT: "9464", HOST: "192.0.2.1" })).toMatchObject({
      metricsPort: 9464,
    });
    expect(readSettings({ PORT: "0", METRICS_PORT: "0" })).toMatchObject({ metricsPort: 0 });
  });

  it.each(["/nowhere/at/all", "/dev/null", "\0", "x".repeat(5_000)])(
    "want a built site at %j, with all else",
    (directory) => {
      const lines = [
        'PORT is "x": it must be a whole number from 0 to 65535.',
        `SITE_DIR is ${JSON.stringify(directory)}: it must be a directory with a built site: build it (npm run build:site), or unset this.`,
      ];
      expect(() => readSettings({ PORT: "x", SITE_DIR: directory })).toThrow(
        new SettingsError(lines.join("\n")),
      );
    },
  );

  it.each([
    "file:/srv/public",
    "s3://bucket/public",
    "https://data.example.org/site",
    "http://127.0.0.1:9000/bucket",
  ])("take %s for the public store", (publicStore) =>
    expect(readSettings({ RUGWATCH_PUBLIC: publicStore })).toMatchObject({ publicStore }),
  );

  it.each([
    ["http://data.example.org/s3cret", "elsewhere it must be https"],
    ["https://user:s3cret@data.example.org/", "without user, password"],
    ["s3://B/s3cret", "must be s3://BUCKET/PREFIX"],
  ])("do not take %s for the public store, and do not repeat it", (publicStore, reason) => {
    const read = () => readSettings({ RUGWATCH_PUBLIC: publicStore });
    expect(read).toThrow(`RUGWATCH_PUBLIC is (not shown): it must be`);
    expect(read).toThrow(reason);
    expect(read).not.toThrow("s3cret");
  });

  it.each([
    "redis://cache.example",
    "valkey://cache.example/",
    "rediss://cache.example",
    "valkeys://cache.example:7000/15",
    "redis://:s3cret@cache.example",
    "valkey://user:p%40ss%3Aword@cache.example",
    "redis://[::1]:6380/2",
  ])("share the limit on a server of Valkey or Redis at %s", (valkeyUrl) =>
    expect(readSettings({ VALKEY_URL: valkeyUrl })).toMatchObject({ valkeyUrl }),
  );

  it.each([
    ...[
      "s3cret.example",
      "s3cret.example:6379",
      "http://:s3cret@cache.example",
      "unix:///run/s3cret.sock",
      "redis://",
    ],
    ...[
      "redis:///1",
      "redis://s3cret.example:70000",
      "redis://s3cret.example/one",
      "redis://s3cret.example/-1",
    ],
    ...["redis://s3cret.example/1/2", "redis://s3cret.example?db=1", "redis://s3cret.example#1"],
    ...[
      "redis://user@s3cret.example",
      "redis://:%E0%A4%A@s3cret.example",
      "redis://s3cret.example,redis://two.example",
    ],
  ])("do not take %j for a server that counts, and do not repeat it", (url) => {
    const read = () => readSettings({ VALKEY_URL: url });
    expect(read).toThrow(
      "VALKEY_URL is (not shown): it must be valkey:// or redis://, with TLS valkeys:// or rediss://,",
    );
    expect(read).not.toThrow("s3cret");
  });

  it("never repeat an endpoint: it may hold a key", () => {
    const read = () => readSettings({ MAINNET_RPC_URLS: "wss://rpc.example/s3cret" });
    expect(read).toThrow(
      "MAINNET_RPC_URLS is (not shown): it must be http or https addresses separated by commas, or none.",
    );
    expect(read).not.toThrow("s3cret");
  });
});
