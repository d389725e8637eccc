import { afterAll, beforeAll, expect, it } from "vitest";
import type { AlertTarget } from "../../../generator/settings/alerts.ts";
import { check } from "../../../generator/service/observing.ts";
import { publish } from "../../../generator/service/publishing.ts";
import { rule } from "../../../generator/service/rule.ts";
import { readDocument } from "../../service/documents.ts";
import { targetOf } from "../../service/alerts/events.ts";
import { startReceiver } from "../../service/alerts/receiver.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../../service/harness.ts";

const CADENCE = { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
const REPORTS_WHILE_HANGING = 5;

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

let stage: Stage;
let [all, rugs, late, hanging]: Receiver[] = [];
let reportsWhileHanging = 0;
const lines: string[] = [];

const setTargets = (...targets: AlertTarget[]) =>
  (stage.command.settings.alerts = { targets, privateHosts: true });
const ofAll = () => targetOf("standard", { name: "all", url: all!.url });

beforeAll(async () => {
  stage = await openStage({ validators: 20, seed: 3 });
  [all, rugs, late, hanging] = await Promise.all([
    ...[1, 2, 3].map(() => startReceiver()),
    startReceiver("hang"),
  ]);
  setTargets(
    ofAll(),
    targetOf("standard", { name: "rugs", url: rugs!.url, severities: ["RUG"] }),
    targetOf("discord", { name: "hanging", url: hanging!.url }),
  );
  await stage.play({
    until: timeAt(1.3),
    cadence: CADENCE,
    onReport(report) {
      lines.push(...report.upkeep, ...report.warnings);
      if (hanging!.received.length === 0) return;
      reportsWhileHanging += 1;
      if (reportsWhileHanging === REPORTS_WHILE_HANGING) void hanging!.close();
    },
  });
});

afterAll(async () => {
  await stage.close();
  await Promise.all([all, rugs, late].map((receiver) => receiver!.close()));
});

const sentTo = (receiver: Receiver | undefined) =>
  receiver!.received.map(
    ({ body }) => JSON.parse(body) as { type: string; data: { id: string; severity: string } },
  );
const changedOf = (receiver: Receiver | undefined) =>
  sentTo(receiver).map(({ type, data }) => `${type} ${data.id}`);

it("every event that the feed shows is told once, as it was published, to who wants it", async () => {
  const { data } = await readDocument(stage, "events", {});
  const shown = data.filter(({ confirmed, replacedBy }) => confirmed && replacedBy === null);
  expect(shown.length).toBeGreaterThan(3);
  expect(changedOf(all).toSorted()).toEqual(
    shown.map(({ id }) => `commission.changed ${id}`).toSorted(),
  );
  const ofRugs = shown.filter(({ severity }) => severity === "RUG");
  expect(changedOf(rugs).toSorted()).toEqual(
    ofRugs.map(({ id }) => `commission.changed ${id}`).toSorted(),
  );
  const published = new Map(data.map((event) => [event.id, event]));
  for (const { data: told } of sentTo(all))
    expect(told).toMatchObject({
      votePubkey: published.get(told.id)?.votePubkey,
      network: "mainnet",
    });
});

it("a target that hangs delays neither what is published nor the other targets, and is named", () => {
  expect(reportsWhileHanging).toBeGreaterThan(REPORTS_WHILE_HANGING);
  expect(lines).toContainEqual(expect.stringMatching(/^alerts for hanging: .*it is tried again$/));
  expect(lines.join()).not.toContain("hunter2");
});

it("an event that an operator takes back is withdrawn where it was told, and nowhere else", async () => {
  const { data } = await readDocument(stage, "events", {});
  const rug = data.find(({ severity, source }) => severity === "RUG" && source === "COMMISSION")!;
  const told = [all!.received.length, rugs!.received.length];
  const ruling = {
    subject: { of: "event", id: rug.id },
    verdict: "ignore",
    reason: "a test",
    dryRun: false,
  } as const;
  await rule({ ...stage.command, ...ruling, network: "mainnet", onProgress: () => undefined });
  setTargets(ofAll(), targetOf("standard", { name: "late", url: late!.url }));
  const report = await publish(stage.command);
  expect(changedOf(all).slice(told[0])).toEqual([`commission.withdrawn ${rug.id}`]);
  expect(report.upkeep).toContain(`alerts for all: delivered ${rug.id}.withdrawn`);
  // The setting is gone; and a new target gets nothing of the past.
  expect(rugs!.received.length).toBe(told[1]);
  expect(late!.received).toEqual([]);
});

it("a target is told of what happens from when it was set on, also by single checks", async () => {
  await stage.play({ until: timeAt(2.2), cadence: CADENCE });
  const told = changedOf(late);
  expect(told.length).toBeGreaterThan(0);
  expect(changedOf(all).slice(-told.length)).toEqual(told);
  const before = all!.received.length;
  await check(stage.command);
  expect(all!.received).toHaveLength(before);
});
