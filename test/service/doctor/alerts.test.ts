import { expect, it } from "vitest";
import { checkAlerts } from "../../../generator/service/doctor/alerts.ts";
import type { Resolve } from "../../../generator/service/alerts/public-hosts.ts";
import type { AlertSettings } from "../../../generator/settings/alerts.ts";
import { writeRecord } from "../../../generator/service/alerts/record.ts";
import { enqueue } from "../../../generator/service/alerts/queue.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { makeContext } from "./node.ts";
import { freshRecord, NOW, sightingOf, targetOf } from "../alerts/events.ts";

const ADDRESSES: Record<string, string> = { "hooks.example": "1.1.1.1", "inside.example": "10.0.0.7" };

const resolve: Resolve = (hostname, _options, callback) => {
  const address = ADDRESSES[hostname];
  if (address === undefined) callback(Object.assign(new Error(hostname), { code: "ENOTFOUND" }), []);
  else callback(null, [{ address, family: 4 }]);
};

const toTime = (milliseconds: number) => new Date(milliseconds).toISOString();

const examine = (alerts: AlertSettings, stateStore = openMemoryStore()) =>
  checkAlerts(makeContext({ stateStore }, { alerts }), resolve);

const targets = [
  targetOf(),
  targetOf("slack", { name: "inside", url: "https://inside.example/hunter2" }),
  targetOf("discord", { name: "own", url: "https://127.0.0.1/hunter2" }),
  targetOf("telegram", { name: "gone", url: "https://gone.example/hunter2" }),
];

it("tells each target and which host is refused, and no token", async () => {
  const findings = await examine({ targets, privateHosts: false });
  expect(findings.map(({ level, subject, found }) => `${level} ${subject}: ${found}`)).toEqual([
    "ok alerts for ops: hooks.example (standard, not contacted)",
    "problem alerts for inside: inside.example (slack, not contacted) is refused",
    "problem alerts for own: 127.0.0.1 (discord, not contacted) is refused",
    "warning alerts for gone: gone.example (telegram, not contacted) has no address",
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
});

it("refuses no host where private ones are allowed", async () => {
  const findings = await examine({ targets: targets.slice(0, 3), privateHosts: true });
  expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
});

it("says that nobody is told where none is set", async () => {
  expect(await examine({ targets: [], privateHosts: false })).toMatchObject([
    { level: "ok", found: "not set: nobody hears of events" },
  ]);
});

it("tells what waits for a target that is wrong, and what was not delivered", async () => {
  const stateStore = openMemoryStore();
  const record = enqueue(freshRecord(), sightingOf({ a: { at: NOW }, b: { at: NOW } }), targetOf());
  const at = "2026-11-20T13:00:00.000Z";
  const failure = { reason: "HTTP status 404", since: at };
  const undelivered = [{ id: "0.changed", reason: "HTTP status 400", at }];
  await writeRecord({ stateStore, network: "testnet", target: "ops" }, { ...record, network: "testnet" });
  await writeRecord({ stateStore, network: "mainnet", target: "ops" }, { ...record, failure, undelivered });
  const target = { ...targetOf(), networks: ["mainnet" as const, "testnet" as const] };
  const findings = await examine({ targets: [target], privateHosts: false }, stateStore);
  expect(findings.slice(1).map(({ level, found }) => `${level} ${found}`)).toEqual([
    `warning mainnet: 2 messages waiting since ${toTime(NOW)}; failing since ${at}: HTTP status 404; 1 not delivered in the last week; the last, 0.changed: HTTP status 400`,
    `ok testnet: 2 messages waiting since ${toTime(NOW)}`,
  ]);
});

it("leaves an outbox that it cannot read where it is", async () => {
  const stateStore = openMemoryStore();
  const key = "alerts/mainnet/ops.json.zst";
  await stateStore.put(key, Buffer.from("no record"), { expect: "any", contentType: "application/zstd" });
  expect(await examine({ targets: [targetOf()], privateHosts: false }, stateStore)).toHaveLength(1);
  expect(await stateStore.head(key)).not.toBeNull();
});
