import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { writeGeoDatabases } from "../../cluster/chain/geo-databases.ts";
import type { Resolve } from "../../../generator/service/alerts/public-hosts.ts";
import { enqueue } from "../../../generator/service/alerts/queue.ts";
import { writeRecord } from "../../../generator/service/alerts/record.ts";
import { checkAlerts } from "../../../generator/service/doctor/alerts.ts";
import { checkDatabases } from "../../../generator/service/doctor/databases.ts";
import { checkMev } from "../../../generator/service/doctor/mev.ts";
import type { AlertSettings } from "../../../generator/settings/alerts.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { DAY, freshRecord, NOW, publishedOf, targetOf } from "../alerts/events.ts";
import { key } from "../../observe/fixtures.ts";
import { openServer } from "../../rpc/open-server.ts";
import { makeDirectory } from "../../store/directory.ts";
import { clockAt, makeContext, toFindingLine } from "./node.ts";

describe("location databases", () => {
  /** The day after the demo's databases were built. */
  const TODAY = 1_780_000_000_000 + DAY;
  let files: { city: string; asn: string };
  let broken: string;
  beforeAll(async () => {
    const { directory, remove } = await makeDirectory();
    files = await writeGeoDatabases(directory);
    broken = `${directory}/broken.mmdb`;
    await writeFile(broken, "no database");
    return () => remove();
  });

  const examine = async (cityFile: string | null, asnFile: string | null, now = TODAY) =>
    (
      await checkDatabases(
        makeContext({ clock: clockAt(() => now) }, { geo: { cityFile, asnFile } }),
      )
    ).map(toFindingLine);

  it("are shown with type and age, and are a warning after 60 days", async () => {
    expect(await examine(files.city, files.asn)).toEqual([
      "ok GEO_CITY_MMDB: simulated-city.mmdb, GeoLite2-City built 24 h ago",
      "ok GEO_ASN_MMDB: simulated-asn.mmdb, GeoLite2-ASN built 24 h ago",
    ]);
    expect((await examine(files.city, null, TODAY + 59 * DAY))[0]).toMatch(/^ok /);
    expect((await examine(files.city, null, TODAY + 60 * DAY))[0]).toMatch(
      /^warning .* → .*fetch this month's/,
    );
  });

  it("are each a problem when broken, missing or of the other kind: every command fails with it", async () => {
    expect(await examine(`${files.city}, ${broken}`, `${broken}/nowhere.mmdb`)).toEqual([
      expect.stringMatching(/^ok GEO_CITY_MMDB: /),
      expect.stringMatching(/^problem GEO_CITY_MMDB: .*broken\.mmdb.* → .*unset GEO_CITY_MMDB/),
      expect.stringMatching(/^problem GEO_ASN_MMDB: .*nowhere\.mmdb.*ENOTDIR/),
    ]);
    expect((await examine(files.asn, null))[0]).toMatch(
      /^problem GEO_CITY_MMDB: .*holds no places/,
    );
  });

  it("are a warning when unset, with the way to get one", async () => {
    expect(await examine(null, null)).toEqual([
      expect.stringMatching(/^warning GEO_CITY_MMDB: not set.* → .*generator\/README\.md/),
      expect.stringMatching(/^warning GEO_ASN_MMDB: not set/),
    ]);
  });
});

describe("the MEV vendor", () => {
  const check = async (mainnet: string | null) =>
    (
      await checkMev(
        "mainnet",
        makeContext({}, { mevUrls: { mainnet, testnet: null, alpenglow: null } }),
      )
    ).map(toFindingLine);

  it.each([
    [
      200,
      [{ vote_account: key(1), mev_commission_bps: 800 }],
      /^ok MEV API: http:\S+: 1 validators$/,
    ],
    [
      400,
      [],
      /^warning MEV API: http:\S+ MEV list: HTTP status 400 → .*MAINNET_MEV_URL.* accounts on chain/,
    ],
  ])(
    "that answers %i is named without what its address hides",
    async (status, validators, expected) => {
      const vendor = await openServer((_, response) =>
        response.writeHead(status).end(JSON.stringify({ validators })),
      );
      const [line] = await check(`${vendor.url}/hunter2`);
      expect(line).toMatch(expected);
      expect(line).not.toContain("hunter2");
    },
  );

  it("that is not configured is no problem", async () => {
    expect(await check(null)).toEqual([
      "ok MEV API: none is set: only the accounts on chain are read",
    ]);
  });
});

describe("alerts", () => {
  const ADDRESSES: Record<string, string> = {
    "hooks.example": "1.1.1.1",
    "inside.example": "10.0.0.7",
  };
  const resolve: Resolve = (hostname, _options, callback) => {
    const address = ADDRESSES[hostname];
    if (address === undefined)
      callback(Object.assign(new Error(hostname), { code: "ENOTFOUND" }), []);
    else callback(null, [{ address, family: 4 }]);
  };

  const examine = async (alerts: Partial<AlertSettings>, stateStore = openMemoryStore()) => {
    const context = makeContext(
      { stateStore },
      { alerts: { targets: [], privateHosts: false, ...alerts } },
    );
    const findings = await checkAlerts(context, resolve);
    return findings.map(({ level, subject, found }) => `${level} ${subject}: ${found}`);
  };

  const targets = [
    targetOf(),
    targetOf("slack", { name: "inside", url: "https://inside.example/hunter2" }),
    targetOf("discord", { name: "own", url: "https://127.0.0.1/hunter2" }),
    targetOf("telegram", { name: "gone", url: "https://gone.example/hunter2" }),
  ];

  it("are shown by target, with the host that is refused, and without a token", async () => {
    expect(await examine({ targets })).toEqual([
      "ok alerts for ops: hooks.example (standard, not contacted)",
      "problem alerts for inside: inside.example (slack, not contacted) is refused",
      "problem alerts for own: 127.0.0.1 (discord, not contacted) is refused",
      "warning alerts for gone: gone.example (telegram, not contacted) has no address",
    ]);
  });

  it("refuse no host where private ones are allowed", async () => {
    const lines = await examine({ targets: targets.slice(0, 3), privateHosts: true });
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["ok", "ok", "ok"]);
  });

  it("that are not set are sent to nobody", async () => {
    expect(await examine({})).toEqual([
      expect.stringMatching(/^ok .*not set: nobody hears of events$/),
    ]);
  });

  it("are shown with what waits for a target that is wrong, and what was not delivered", async () => {
    const stateStore = openMemoryStore();
    const record = enqueue(
      freshRecord(),
      publishedOf({ a: { at: NOW }, b: { at: NOW } }),
      targetOf(),
    );
    const at = "2026-11-20T13:00:00.000Z";
    const failure = { reason: "HTTP status 404", since: at };
    const undelivered = [{ id: "0.changed", reason: "HTTP status 400", at }];
    await writeRecord(
      { stateStore, network: "testnet", target: "ops" },
      { ...record, network: "testnet" },
    );
    await writeRecord(
      { stateStore, network: "mainnet", target: "ops" },
      { ...record, failure, undelivered },
    );
    const target = { ...targetOf(), networks: ["mainnet" as const, "testnet" as const] };
    const waiting = `2 messages waiting since ${new Date(NOW).toISOString()}`;
    expect((await examine({ targets: [target] }, stateStore)).slice(1)).toEqual([
      `warning alerts for ops: mainnet: ${waiting}; failing since ${at}: HTTP status 404; 1 not delivered in the last week; the last, 0.changed: HTTP status 400`,
      `ok alerts for ops: testnet: ${waiting}`,
    ]);
  });

  it("leave an outbox that cannot be read where it is", async () => {
    const stateStore = openMemoryStore();
    const key = "alerts/mainnet/ops.json.zst";
    await stateStore.put(key, Buffer.from("no record"), {
      expect: "any",
      contentType: "application/zstd",
    });
    expect(await examine({ targets: [targetOf()] }, stateStore)).toHaveLength(1);
    expect(await stateStore.head(key)).not.toBeNull();
  });
});
