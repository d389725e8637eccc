import { expect, it, onTestFinished } from "vitest";
import { openAlerts } from "../../../generator/service/alerts/alerts.ts";
import { recordChanges } from "../../../generator/service/projection/record-changes.ts";
import { createChangeLog } from "../../../generator/ledger/change-log.ts";
import { createTouched } from "../../../generator/ledger/touched.ts";
import { createReport } from "../../../generator/service/report.ts";
import type { Ledger } from "../../../generator/ledger/ledger.ts";
import { ledgerOf, MOMENT, type EventFacts } from "../../documents/fixtures.ts";
import { makeStation, makeStores } from "../offline.ts";
import { DAY, targetOf } from "./events.ts";
import { openReceiver, type Answer } from "./receiver.ts";

const STARTED_AT = Date.parse(MOMENT.time);

async function prepare(...answers: Answer[]) {
  const receiver = await openReceiver(...answers);
  let ledger: Ledger | undefined;
  let holes: { name: string; unreadable: string }[] = [];
  let now = STARTED_AT;
  const context = makeStation({ ...makeStores(), now: () => now, holder: "one" });
  const projection = {
    ...context.projection,
    ledger: () => ledger ?? ledgerOf(),
    position: () => ({ through: "", digest: "" }),
    holes: () => holes,
  };
  const stopping = new AbortController();
  const settings = {
    alerts: { targets: [targetOf("standard", { url: receiver.url })], privateHosts: true },
  };
  const attempts: unknown[] = [];
  const watched: typeof context = {
    ...context,
    projection,
    onAlert: (attempt) => void attempts.push(attempt),
    onAlertQueue: ({ target, waiting }) => void attempts.push({ target, waiting }),
  };
  const start = () => openAlerts(watched, { settings, signal: stopping.signal, random: () => 1 });
  onTestFinished(() => stopping.abort());
  return {
    receiver,
    attempts,
    hide: () => (holes = [{ name: "an entry", unreadable: "cut" }]),
    pass: (milliseconds: number) => void (now += milliseconds),
    run: async (events: EventFacts[], skipped: string | null = null): Promise<string[]> => {
      const changes = ledger?.changes ?? createChangeLog();
      ledger = { ...ledgerOf({ validators: [{ name: "one" }], events }), changes };
      recordChanges({ ledger, touched: { ...createTouched(), events: new Set([0]) } }, MOMENT.time);
      const report = { ...createReport("check", "mainnet"), skipped };
      const alerts = start();
      alerts.notify(report);
      await alerts.close(report);
      return report.upkeep;
    },
  };
}

it.each<[string, Partial<EventFacts>]>([
  ["backfilled", { confirmed: false, createdAt: null, confirmedAt: null }],
  ["so old that it has no time", { createdAt: null }],
  ["not confirmed", { confirmed: false }],
  ["replaced by the steps that it was made in", { replacedBy: "b" }],
])("no message is sent of an event that is %s", async (_, facts) => {
  const { receiver, run } = await prepare();
  await run([{ of: "one", id: "a", ...facts }]);
  expect(receiver.ids()).toEqual([]);
  await run([
    { of: "one", id: "a", ...facts },
    { of: "one", id: "b" },
  ]);
  expect(receiver.ids()).toEqual(["b.changed"]);
});

it("a target is sent the rise that makes a pattern, and none of its repeats", async () => {
  const { receiver, run } = await prepare();
  await run([]);
  const flip = (place: number): EventFacts => {
    const [from, to] = place % 2 === 0 ? [0, 10_000] : [10_000, 0];
    const severity = to === 0 ? "INFO" : "RUG";
    return {
      of: "one",
      id: String(place),
      epoch: 900 + Math.floor(place / 2),
      slot: place,
      from,
      to,
      severity,
    };
  };
  await run(Array.from({ length: 9 }, (_, place) => flip(place)));
  expect(receiver.ids()).toEqual(["0", "1", "2", "3", "4"].map((id) => `${id}.changed`));
});

it("no message is sent of what was not published, but what is due is tried again", async () => {
  const { receiver, run, pass } = await prepare(500, 204);
  await run([{ of: "one", id: "a" }]);
  pass(DAY / 2);
  const both = [
    { of: "one", id: "a" },
    { of: "one", id: "b" },
  ];
  expect(await run(both, "another generator is publishing")).toEqual([
    "alerts for ops: delivered a.changed",
  ]);
  await run(both);
  expect(receiver.ids()).toEqual(["a.changed", "a.changed", "b.changed"]);
});

it("nothing is taken back while an entry cannot be read", async () => {
  const { receiver, run, hide } = await prepare();
  await run([{ of: "one", id: "a" }]);
  hide();
  await run([]);
  expect(receiver.ids()).toEqual(["a.changed"]);
});

it("the metrics receive the outcome of each attempt, and how many messages wait", async () => {
  const { attempts, run, pass } = await prepare(204, 404);
  const both = ["a", "b"].map((id): EventFacts => ({ of: "one", id }));
  await run(both);
  pass(DAY);
  await run(both);
  expect(attempts).toEqual([
    { target: "ops", outcome: "delivered" },
    { target: "ops", outcome: "waiting" },
    { target: "ops", waiting: 1 },
    { target: "ops", outcome: "givenUp" },
    { target: "ops", waiting: 0 },
  ]);
});
