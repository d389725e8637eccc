import { expect, it } from "vitest";
import { examineAlerts } from "../../../generator/service/doctor/alerts.ts";
import type { Resolve } from "../../../generator/service/alerts/public-hosts.ts";
import { targetOf } from "../alerts/events.ts";

const ADDRESSES: Record<string, string> = { "hooks.example": "1.1.1.1", "inside.example": "10.0.0.7" };

const resolve: Resolve = (hostname, _options, callback) => {
  const address = ADDRESSES[hostname];
  if (address === undefined) callback(Object.assign(new Error(hostname), { code: "ENOTFOUND" }), []);
  else callback(null, [{ address, family: 4 }]);
};

const targets = [
  targetOf(),
  targetOf("slack", { name: "inside", url: "https://inside.example/hunter2" }),
  targetOf("discord", { name: "own", url: "https://127.0.0.1/hunter2" }),
  targetOf("telegram", { name: "gone", url: "https://gone.example/hunter2" }),
];

it("tells how many targets are set and which host is refused, and no token", async () => {
  const findings = await examineAlerts({ targets, privateHosts: false }, resolve);
  expect(findings.map(({ level, subject, found }) => `${level} ${subject}: ${found}`)).toEqual([
    "ok ALERT_WEBHOOKS: 4 set: ops (standard), inside (slack), own (discord), gone (telegram)",
    "ok alerts for ops: hooks.example",
    "problem alerts for inside: inside.example is refused: it has an address that is not public",
    "problem alerts for own: 127.0.0.1 is refused: it has an address that is not public",
    "warning alerts for gone: gone.example has no address (ENOTFOUND)",
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
});

it("refuses no host where private ones are allowed", async () => {
  const findings = await examineAlerts({ targets: targets.slice(0, 3), privateHosts: true }, resolve);
  expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok", "ok"]);
});

it("says that nobody is told where none is set", async () => {
  expect(await examineAlerts({ targets: [], privateHosts: false }, resolve)).toMatchObject([
    { level: "ok", found: "not set: nobody hears of events" },
  ]);
});
