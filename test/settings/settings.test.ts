import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  readSettings,
  readDemoSettings,
  readWatching,
  assertWatched,
  toNetworks,
} from "../../generator/settings/settings.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import { SettingsError } from "../../generator/settings/variables.ts";

function complaintOf(environment: Record<string, string>): string {
  try {
    readSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).message;
  }
  throw new Error("nothing was wrong with them");
}

describe("settings", () => {
  it("have a default each", () => {
    expect(readSettings({})).toEqual({
      publicStore: "file:.data/public",
      stateStore: "file:.data/state",
      rpcUrls: {
        mainnet: ["https://api.mainnet.solana.com"],
        testnet: ["https://api.testnet.solana.com"],
        alpenglow: ["https://alpenglow.rpcpool.com"],
      },
      mevUrls: {
        mainnet: "https://kobe.mainnet.jito.network",
        testnet: "https://kobe.testnet.jito.network",
        alpenglow: null,
      },
      checkSeconds: 60,
      stakeScanMinutes: 60,
      siteUrl: DEFAULT_SITE_URL,
      geo: { cityFile: null, asnFile: null },
      alerts: { targets: [], privateHosts: false },
    });
  });

  it("that are empty count as unset", () => {
    const empty = {
      RUGWATCH_PUBLIC: "",
      MAINNET_RPC_URLS: "",
      STAKE_SCAN_MINUTES: "",
      GEO_CITY_MMDB: "",
    };
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it.each([
    ["https://rugwatch.example", "https://rugwatch.example"],
    ["https://rugwatch.example/", "https://rugwatch.example"],
    ["HTTPS://Rugwatch.example:443/see//", "https://rugwatch.example/see"],
    ["http://localhost:9000", "http://localhost:9000"],
  ])("spell the address of the site %s in one way", (RUGWATCH_SITE_URL, siteUrl) => {
    expect(readSettings({ RUGWATCH_SITE_URL }).siteUrl).toBe(siteUrl);
  });

  it("are what the variables say", () => {
    const settings = readSettings({
      RUGWATCH_PUBLIC: "file:/srv/public",
      MAINNET_RPC_URLS: "https://one.example/key, http://two.example",
      MAINNET_MEV_URL: "none",
      CHECK_SECONDS: "10",
      STAKE_SCAN_MINUTES: "0",
      GEO_ASN_MMDB: "/data/asn.mmdb",
    });
    expect(settings).toMatchObject({
      ...{
        publicStore: "file:/srv/public",
        checkSeconds: 10,
        stakeScanMinutes: 0,
        mevUrls: { mainnet: null },
      },
      rpcUrls: { mainnet: ["https://one.example/key", "http://two.example"] },
      geo: { cityFile: null, asnFile: "/data/asn.mmdb" },
    });
  });
});

describe("how the generator is watched", () => {
  it("is by a log of all levels and no port, until it is said", () => {
    expect(readWatching({})).toEqual({
      logLevel: "info",
      metricsPort: null,
      metricsHost: "127.0.0.1",
    });
    const said = { LOG_LEVEL: "error", METRICS_PORT: "9465", METRICS_HOST: "0.0.0.0" };
    expect(readWatching(said)).toEqual({
      logLevel: "error",
      metricsPort: 9465,
      metricsHost: "0.0.0.0",
    });
  });

  it("is told with the other settings where it is wrong", () => {
    expect(
      complaintOf({ LOG_LEVEL: "loud", METRICS_PORT: "many", CHECK_SECONDS: "1" }).split("\n"),
    ).toEqual([
      expect.stringMatching(/^CHECK_SECONDS/),
      'LOG_LEVEL is "loud": it must be info, warn or error.',
      'METRICS_PORT is "many": it must be a whole number from 0 to 65535.',
    ]);
  });
});

describe("wrong settings", () => {
  it("are all told at once, a line each, with what they must be", () => {
    const lines = complaintOf({
      RUGWATCH_PUBLIC: "ftp://somewhere",
      TESTNET_RPC_URLS: "https://fine.example,not an address",
      TESTNET_MEV_URL: "perhaps",
      STAKE_SCAN_MINUTES: "-1",
    }).split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^RUGWATCH_PUBLIC is .*must be file:DIR/),
      expect.stringMatching(
        /^TESTNET_RPC_URLS is .*must be http or https addresses separated by commas, or none/,
      ),
      expect.stringMatching(/^TESTNET_MEV_URL is .*must be an http or https address, or none/),
      'STAKE_SCAN_MINUTES is "-1": it must be a whole number from 0 to 10080.',
    ]);
  });

  it.each([
    ["RUGWATCH_PUBLIC", "ftp://user:hunter2@host"],
    ["RUGWATCH_STATE", "hunter2"],
    ["MAINNET_RPC_URLS", "ftp://rpc.example/hunter2"],
    ["MAINNET_MEV_URL", "hunter2"],
  ])("never repeat the value of %s: it may hold a key", (name, value) => {
    const complaint = complaintOf({ [name]: value });
    expect(complaint).toContain(name);
    expect(complaint).not.toContain("hunter2");
  });

  it("repeat a store's path, which holds no key", () => {
    expect(complaintOf({ RUGWATCH_PUBLIC: "/srv/public" })).toMatch(
      /^RUGWATCH_PUBLIC is "\/srv\/public": it must be /,
    );
    expect(complaintOf({ RUGWATCH_PUBLIC: "//user:hunter2@host/" })).not.toContain("hunter2");
  });

  const addresses = [
    "rugwatch.example",
    "ftp://rugwatch.example",
    "https://",
    "https://user@rugwatch.example",
  ];
  const parts = ["?", "?network=mainnet", "#"].map((part) => `https://rugwatch.example/${part}`);
  it.each([...addresses, ...parts, "https://:hunter2@rugwatch.example", "javascript:alert(1)"])(
    "include RUGWATCH_SITE_URL=%s, without repeating it",
    (RUGWATCH_SITE_URL) => {
      const why = "it must be an http or https address without credentials, query or fragment.";
      expect(complaintOf({ RUGWATCH_SITE_URL })).toBe(`RUGWATCH_SITE_URL is (not shown): ${why}`);
    },
  );

  it.each([
    ...["4", "61", "7.5", "ten"].map((value) => ["CHECK_SECONDS", value, "5 to 60"]),
    ...["1e3", "10081", "1.5", " 5", "0x10"].map((value) => [
      "STAKE_SCAN_MINUTES",
      value,
      "0 to 10080",
    ]),
  ])("include %s=%s", (name, value, range) => {
    const complaint = `${name} is ${JSON.stringify(value)}: it must be a whole number from ${range}.`;
    expect(complaintOf({ [name]: value })).toBe(complaint);
  });

  const PUBLISHED = /never be public/;
  // Who may read or write the one could reach the other.
  const REACHABLE = /^RUGWATCH_PUBLIC lies in/;
  it.each<[string, string, RegExp | null]>([
    ["file:here", "file:here", PUBLISHED],
    ["file:here", "file:./here/", PUBLISHED],
    ["file:here", `file:${resolve("here")}`, PUBLISHED],
    ["file:here", "file:here/state", PUBLISHED],
    ["file:here", "file:there/../here/..state", PUBLISHED],
    ["memory:", "memory:", PUBLISHED],
    ["s3://bucket", "s3://bucket", PUBLISHED],
    ["s3://bucket/here", "s3://bucket/here/", PUBLISHED],
    ["s3://bucket/here/", "s3://bucket/here/state", PUBLISHED],
    ["s3://bucket", "s3://bucket/state", PUBLISHED],
    ["file:here/public", "file:here", REACHABLE],
    ["s3://bucket/here/public", "s3://bucket/here", REACHABLE],
    ["s3://bucket/public/", "s3://bucket/", REACHABLE],
    ["file:here", "file:here-state", null],
    ["file:here/public", "file:here/state", null],
    ["file:here", "memory:", null],
    ["s3://bucket/here", "s3://bucket/here-state", null],
    ["s3://bucket", "s3://bucket-state", null],
    ["s3://bucket/here", "file:here", null],
  ])(
    "of a public store %s with the state at %s: %s",
    (RUGWATCH_PUBLIC, RUGWATCH_STATE, complaint) => {
      const stores = { RUGWATCH_PUBLIC, RUGWATCH_STATE };
      if (complaint === null) expect(readSettings(stores).stateStore).toBe(RUGWATCH_STATE);
      else expect(complaintOf(stores)).toMatch(complaint);
    },
  );

  it.each([
    ["s3://", "bucket"],
    ["s3:bucket", "bucket"],
    ["s3://Bucket/x", "small letters"],
    ["s3://user:hunter2@bucket/x", "small letters"],
    ["s3://ab", "3 to 63"],
    ["s3://bucket//x", "one slash"],
    ["s3://bucket/../x", "no part may be"],
    ["s3://bucket/hunter2?x", "letters, digits"],
    [`s3://bucket/${"x".repeat(257)}`, "256"],
  ])("include a store at %s", (RUGWATCH_STATE, reason) => {
    const complaint = complaintOf({ RUGWATCH_STATE });
    expect(complaint).toMatch(/^RUGWATCH_STATE is \(not shown\): it must be s3:\/\/BUCKET\/PREFIX/);
    expect(complaint).toContain(reason);
    expect(complaint).not.toContain("hunter2");
  });

  it.each([
    ...["", "/base"].map((base) => [
      "MAINNET_MEV_URL",
      `https://mev.example${base}/api/v1`,
      "the address without /api/v1",
    ]),
    ...[",", "/data/city.mmdb,", " "].map((files) => ["GEO_CITY_MMDB", files, "paths of files"]),
    ...["PUBLIC", "STATE"].map((store) => [
      `RUGWATCH_${store}`,
      "https://data.example/site",
      "can only be read",
    ]),
  ])("include %s=%s", (name, value, why) => {
    expect(complaintOf({ [name]: value })).toMatch(new RegExp(`^${name} is .*${why}`));
  });
});

describe("the demo's settings", () => {
  it("keep its data in a directory apart from real ones, and give way to variables", () => {
    const own = { publicStore: "file:/apart/public", stateStore: "file:/apart/state" };
    expect(readDemoSettings("/apart", { RUGWATCH_STATE: "" })).toEqual({
      ...readSettings({}),
      ...own,
    });
    expect(readDemoSettings("/apart", { RUGWATCH_PUBLIC: "file:elsewhere" }).publicStore).toBe(
      "file:elsewhere",
    );
  });

  it("say that the site is the demo's own proxy", () => {
    const siteUrlOf = (environment: Record<string, string>) =>
      readDemoSettings("/apart", environment).siteUrl;
    expect(siteUrlOf({})).toBe("http://localhost:8080");
    expect(siteUrlOf({ PORT: "9000" })).toBe("http://localhost:9000");
    const siteUrl = "https://a.example";
    expect(siteUrlOf({ PORT: "9000", RUGWATCH_SITE_URL: siteUrl })).toBe(siteUrl);
  });
});

describe("the networks of a command", () => {
  const unwatched = { TESTNET_RPC_URLS: "none", ALPENGLOW_RPC_URLS: "none" };

  it("are the one named, or all that are watched", () => {
    expect(toNetworks("testnet", readSettings({}))).toEqual(["testnet"]);
    expect(toNetworks("all", readSettings({}))).toEqual(["mainnet", "testnet", "alpenglow"]);
    expect(toNetworks("all", readSettings(unwatched))).toEqual(["mainnet"]);
  });

  it("are never one that nobody watches where the cluster is asked, and never none", () => {
    expect(toNetworks("testnet", readSettings(unwatched))).toEqual(["testnet"]);
    expect(() => assertWatched("mainnet", readSettings(unwatched))).not.toThrow();
    expect(() => assertWatched("testnet", readSettings(unwatched))).toThrow(
      "TESTNET_RPC_URLS is none: testnet is not watched. Give it endpoints, or choose another network.",
    );
    const settings = readSettings({ ...unwatched, MAINNET_RPC_URLS: "none" });
    expect(() => toNetworks("all", settings)).toThrow(
      "MAINNET_RPC_URLS, TESTNET_RPC_URLS, ALPENGLOW_RPC_URLS are none: no network is watched.",
    );
  });
});
