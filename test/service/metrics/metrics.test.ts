import { Registry } from "prom-client";
import { beforeEach, describe, expect, it } from "vitest";
import { createLedger, type Ledger } from "../../../generator/ledger/ledger.ts";
import type { Projection } from "../../../generator/service/projection/projection.ts";
import {
  createMetrics,
  HEALTHY_SECONDS,
  type Metrics,
} from "../../../generator/service/metrics/metrics.ts";
import { createLedgerGauges } from "../../../generator/service/metrics/ledger-gauges.ts";
import type { Quarantined } from "../../../generator/service/projection/quarantined.ts";
import { sumReports } from "../../../generator/service/report.ts";
import { toEntryKey } from "../../../generator/journal/names.ts";
import { damage } from "../../journal/packed.ts";
import { timeAt } from "../../story/clock.ts";
import { foldStory } from "../../story/fold.ts";
import { checkByLists, panelCheck, panelSnapshot } from "../../story/panels.ts";
import { withA } from "../../story/validators.ts";
import { findFreePort } from "../../free-port.ts";
import { RpcFailure } from "../../cluster/rpc/failure.ts";
import { MINUTE, openStage, STARTS_AT, type PlayOptions, type Stage } from "../harness.ts";
import { startUpstream, type Upstream } from "../upstream.ts";

async function read(registry: Registry) {
  const page = await registry.metrics();
  const samples = page.split("\n").flatMap((line) => {
    const [, name = "", labels = "", value = ""] =
      /^(?:rugwatch_)?(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === "" ? [] : [{ name, labels: `,${labels},`, value: Number(value) }];
  });
  const find = (wanted: string, labels: Readonly<Record<string, string>> = {}) =>
    samples
      .filter(({ name }) => name === wanted)
      .filter((sample) =>
        Object.entries(labels).every(([label, value]) =>
          sample.labels.includes(`,${label}="${value}",`),
        ),
      );
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    find(name, labels).reduce((total, { value }) => total + value, 0);
  return { page, samples, find, sum };
}

describe("the metrics of a generator", () => {
  let stage: Stage;
  let upstream: Upstream;
  let metrics: Metrics;
  beforeEach(async () => {
    stage = await openStage({ validators: 20 });
    const { settings, clock } = stage.command;
    const [rpcUrl = ""] = settings.rpcUrls.mainnet;
    upstream = await startUpstream({ rpcUrl, mevUrl: settings.mevUrls.mainnet ?? "" });
    metrics = createMetrics({ now: clock.now, steadyNow: clock.timer });
    stage.command.instrument = metrics.instrument;
    const mainnet = upstream.rpcUrls.map((url) => `${url}/s3cret?key=s3cret`);
    stage.command.settings = { ...settings, rpcUrls: { ...settings.rpcUrls, mainnet } };
    return () => Promise.all([upstream.close(), stage.close()]);
  });

  it("count what was asked, believed, written and published, and show the state of the network", async () => {
    let projection: Projection | undefined;
    const onReport: PlayOptions["onReport"] = (_, context) =>
      void (projection = context.projection);
    const reports = await stage.play({ until: STARTS_AT + 12 * MINUTE, onReport });
    const { sum } = await read(metrics.registry);
    for (const kind of ["check", "snapshot"]) {
      const count = reports.filter(({ command }) => command === kind).length;
      expect(sum("observations_total", { network: "mainnet", kind, outcome: "accepted" })).toBe(
        count,
      );
    }
    const { puts, lists, bytes } = sumReports("run", reports);
    const series = sum("store_written_bytes_total", { kind: "series" });
    expect(sum("store_operations_total", { operation: "put", outcome: "done" })).toBe(puts + 1);
    expect(sum("store_operations_total", { operation: "list" })).toBeGreaterThanOrEqual(lists);
    expect(sum("store_written_bytes_total") - series).toBe(bytes);
    expect(sum("store_writes_total", { kind: "status" })).toBe(reports.length);
    expect(sum("store_writes_total", { kind: "other" })).toBe(0);
    const calls = upstream.asked.filter(({ side }) => side !== "mev");
    expect(sum("rpc_calls_total", { outcome: "ok" })).toBe(calls.length);
    expect(sum("step_duration_seconds_count", { step: "publish" })).toBe(reports.length);
    const listed = projection?.ledger().validators.filter((one) => one.listed) ?? [];
    expect(sum("epoch")).toBe(1060);
    expect(sum("listed_validators")).toBe(listed.length);
    expect(sum("journal_entries")).toBe(projection?.counts().total);
    expect(sum("source_state", { source: "votes", state: "ok" })).toBe(1);
    expect(sum("searched_validators", { state: "known" })).toBe(listed.length);
    expect(sum("quarantined_objects")).toBe(0);
    expect(sum("observation_age_seconds")).toBeLessThan(60);
    expect(sum("publication_age_seconds")).toBeLessThan(60);
  });

  it("name an endpoint by its origin, and nothing of its path or query", async () => {
    await stage.play({ until: STARTS_AT + 2 * MINUTE });
    const { page } = await read(metrics.registry);
    const endpoints = new Set(
      Array.from(page.matchAll(/endpoint="([^"]*)"/g), ([, endpoint]) => endpoint),
    );
    expect(endpoints).toEqual(new Set(upstream.rpcUrls.map((url) => new URL(url).origin)));
    expect(page).not.toContain("s3cret");
  });

  it("show an outage: by outcome, by age, and by a health of 503 that says why", async () => {
    await stage.play({ until: STARTS_AT + 3 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({ isWell: true });
    const count = new Set(upstream.rpcUrls.map((url) => new URL(url).origin)).size;
    expect((await read(metrics.registry)).sum("witnesses", { state: "usable" })).toBe(count);
    upstream.setFault(() => new RpcFailure(-32_005, "Node is behind\u001b[31m by 200 slots"));
    await stage.play({ until: STARTS_AT + 12 * MINUTE });
    const { sum } = await read(metrics.registry);
    expect(sum("observations_total", { kind: "check", outcome: "refused" })).toBeGreaterThan(5);
    expect(sum("rpc_calls_total", { outcome: "behind" })).toBeGreaterThan(5);
    expect(sum("endpoint_readings_total", { outcome: "refused" })).toBeGreaterThan(5);
    const states = ["configured", "usable", "needed"];
    expect(states.map((state) => sum("witnesses", { state }))).toEqual([count, 0, 1]);
    expect(sum("observation_age_seconds")).toBeGreaterThan(HEALTHY_SECONDS);
    const { isWell, text } = metrics.getHealth();
    expect(isWell).toBe(false);
    expect(text).toMatch(
      /^mainnet: observation accepted last: \d{3} s ago; refused since: .*Node is behind by 200 slots/,
    );
  });

  it("show the age of what is published, which a status put alone does not renew", async () => {
    await stage.play({ until: STARTS_AT + 3 * MINUTE });
    for await (const { key } of stage.stateStore.list("checkpoints/"))
      await stage.stateStore.delete(key);
    const place = { store: stage.stateStore, network: "mainnet", series: 1 } as const;
    await damage(place, toEntryKey(place, "0000000002"), (body) => body.subarray(0, 40));
    const before = (await read(metrics.registry)).sum("store_writes_total", { kind: "status" });
    expect(metrics.getHealth()).toMatchObject({ isWell: true });
    await stage.play({ until: STARTS_AT + 12 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({
      isWell: false,
      text: expect.stringMatching(
        /accepted last: \d+ s ago; published last: \d{3} s ago$/,
      ) as string,
    });
    const { sum } = await read(metrics.registry);
    expect(sum("store_writes_total", { kind: "status" })).toBeGreaterThan(before + 4);
    expect(sum("observation_age_seconds")).toBeLessThan(120);
    expect(sum("publication_age_seconds")).toBeGreaterThan(300);
    expect(sum("quarantined_objects")).toBe(1);
  });

  it("show that too few witnesses answer, by a health of 503 after five minutes, though all is observed and published", async () => {
    const { settings } = stage.command;
    const [well = ""] = settings.rpcUrls.mainnet;
    const dead = [await findFreePort(), await findFreePort()].map(
      (port) => `http://127.0.0.1:${port}`,
    );
    const rpcUrls = { ...settings.rpcUrls, mainnet: [well, ...dead] };
    stage.command.settings = { ...settings, rpcUrls };
    await stage.play({ until: STARTS_AT + 4 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({ isWell: true });
    await stage.play({ until: STARTS_AT + 7 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({
      isWell: false,
      text: expect.stringMatching(
        /^mainnet: observation accepted last: \d+ s ago; 2 of 3 witnesses silent, so that no change can be confirmed/,
      ) as string,
    });
    const { sum } = await read(metrics.registry);
    expect([sum("observation_age_seconds") < 120, sum("publication_age_seconds") < 120]).toEqual([
      true,
      true,
    ]);
    stage.command.settings = settings;
    await stage.play({ until: STARTS_AT + 9 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({ isWell: true });
  });

  it("count what came of each alert, by target, from 0 on", async () => {
    const { onAlert, onAlertQueue } = metrics.instrument("mainnet");
    onAlert({ target: "ops", outcome: "waiting" });
    expect((await read(metrics.registry)).find("alert_attempts_total")).toHaveLength(3);
    onAlert({ target: "ops", outcome: "givenUp" });
    onAlertQueue({ target: "ops", waiting: 1, oldestAt: stage.clock.now() });
    await stage.clock.sleepUntil(stage.clock.now() + 90_000);
    const { sum } = await read(metrics.registry);
    const outcomes = ["delivered", "failed", "given_up"];
    const counts = outcomes.map((outcome) =>
      sum("alert_attempts_total", { target: "ops", outcome }),
    );
    expect(counts).toEqual([0, 1, 1]);
    expect(sum("alert_waiting_messages", { target: "ops" })).toBe(1);
    expect(sum("alert_oldest_undelivered_seconds", { target: "ops" })).toBe(90);
    onAlertQueue({ target: "ops", waiting: 0, oldestAt: null });
    expect(
      (await read(metrics.registry)).sum("alert_oldest_undelivered_seconds", { target: "ops" }),
    ).toBe(0);
  });

  it("give a process that has only begun the time to fold what others journaled", async () => {
    metrics.instrument("mainnet");
    expect(metrics.getHealth()).toEqual({
      isWell: true,
      text: "mainnet: observation accepted last: never",
    });
    await stage.clock.sleepUntil(stage.clock.now() + HEALTHY_SECONDS * 1000);
    expect(metrics.getHealth().isWell).toBe(false);
    expect((await read(metrics.registry)).sum("observation_age_seconds")).toBe(HEALTHY_SECONDS);
  });
});

describe("the state of a network", () => {
  const PENDING = [
    panelSnapshot(0, withA({ bps: 500 }), { of: 2 }),
    ...Array.from({ length: 9 }, (_, index) =>
      panelCheck(index + 1, withA({ bps: 500 }), { of: 2, by: index % 2 }),
    ),
    checkByLists(10, [10_000, "silent"], withA({ bps: 500 })),
  ];

  function readGauges(ledger: Ledger, quarantined: Quarantined[] = []) {
    const registry = new Registry();
    const counts = () => ({ done: 11, total: 11, resumedAt: 0 });
    const projection = { ledger: () => ledger, quarantined: () => quarantined, counts };
    createLedgerGauges(registry, {
      projections: new Map([["mainnet", projection]]),
      now: () => Date.parse(timeAt(75)),
    });
    return read(registry);
  }

  it("counts what is pending and what is disputed apart, and tells since when", async () => {
    const contradicted = checkByLists(10.5, [10_000, 500], withA({ bps: 500 }));
    for (const [state, other, entries] of [
      ["pending", "disputed", PENDING],
      ["disputed", "pending", [...PENDING, contradicted]],
    ] as const) {
      const { sum } = await readGauges(foldStory(...entries).ledger);
      const ages = [state, other].map((one) => sum(`${one}_age_seconds`));
      expect([sum("changes", { state }), sum("changes", { state: other }), ...ages]).toEqual([
        1,
        0,
        65 * 60,
        0,
      ]);
    }
  });

  it("counts what of the journal is set aside, and names none of it", async () => {
    const quarantined = [{ object: "journal/s3cret", reason: "s3cret" }];
    const { sum, page } = await readGauges(foldStory(...PENDING).ledger, quarantined);
    expect(sum("quarantined_objects")).toBe(1);
    expect(page).not.toContain("s3cret");
  });

  it("is not shown without a ledger", async () => {
    expect((await readGauges(createLedger("mainnet", 1))).samples).toEqual([]);
  });
});
