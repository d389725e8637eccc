import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Projection } from "../../../generator/service/projection.ts";
import { createMetrics, HEALTHY_SECONDS, type Metrics } from "../../../generator/service/metrics/metrics.ts";
import { sumReports } from "../../../generator/service/report.ts";
import { RpcFailure } from "../../rpc/rpc-server.ts";
import { MINUTE, openStage, STARTS_AT, type PlayOptions, type Stage } from "../harness.ts";
import { startUpstream, type Upstream } from "../upstream.ts";
import { readSamples, sumOf, type Sample } from "./samples.ts";

let stage: Stage;
let upstream: Upstream;
let metrics: Metrics;
beforeEach(async () => {
  stage = await openStage({ validators: 20 });
  const { settings, clock } = stage.command;
  upstream = await startUpstream({ rpcUrl: settings.rpcUrls.mainnet[0] ?? "", mevUrl: settings.mevUrls.mainnet ?? "" });
  metrics = createMetrics({ now: clock.now, steadyNow: clock.timer });
  stage.command.watch = metrics.watch;
  const mainnet = upstream.rpcUrls.map((url) => `${url}/s3cret?key=s3cret`);
  stage.command.settings = { ...settings, rpcUrls: { ...settings.rpcUrls, mainnet } };
});
afterEach(() => Promise.all([upstream.close(), stage.close()]));

const read = async (): Promise<Sample[]> => readSamples(await metrics.registry.metrics());

describe("the metrics of a generator", () => {
  it("count what was asked, believed, written and published, and tell where the network stands", async () => {
    let held: Projection | undefined;
    const onReport: PlayOptions["onReport"] = (_, { projection }) => void (held = projection);
    const reports = await stage.play({ until: STARTS_AT + 12 * MINUTE, onReport });
    const samples = await read();
    for (const kind of ["check", "snapshot"])
      expect(sumOf(samples, "rugwatch_observations_total", { network: "mainnet", kind, outcome: "accepted" })).toBe(
        reports.filter(({ command }) => command === kind).length,
      );
    const { puts, lists, bytes } = sumReports("run", reports);
    const series = sumOf(samples, "rugwatch_store_written_bytes_total", { kind: "series" });
    expect(sumOf(samples, "rugwatch_store_operations_total", { operation: "put", outcome: "done" })).toBe(puts + 1);
    expect(sumOf(samples, "rugwatch_store_operations_total", { operation: "list" })).toBeGreaterThanOrEqual(lists);
    expect(sumOf(samples, "rugwatch_store_written_bytes_total") - series).toBe(bytes);
    expect(sumOf(samples, "rugwatch_store_writes_total", { kind: "status" })).toBe(reports.length);
    expect(sumOf(samples, "rugwatch_store_writes_total", { kind: "other" })).toBe(0);
    expect(sumOf(samples, "rugwatch_rpc_calls_total", { outcome: "ok" })).toBe(
      upstream.asked.filter(({ side }) => side !== "mev").length,
    );
    expect(sumOf(samples, "rugwatch_step_duration_seconds_count", { step: "publish" })).toBe(reports.length);
    const listed = held?.ledger().validators.filter((one) => one.listed) ?? [];
    expect(sumOf(samples, "rugwatch_epoch")).toBe(1060);
    expect(sumOf(samples, "rugwatch_listed_validators")).toBe(listed.length);
    expect(sumOf(samples, "rugwatch_journal_entries")).toBe(held?.counts().total);
    expect(sumOf(samples, "rugwatch_source_state", { source: "votes", state: "ok" })).toBe(1);
    expect(sumOf(samples, "rugwatch_searched_validators", { state: "known" })).toBe(listed.length);
    expect(sumOf(samples, "rugwatch_quarantined_objects")).toBe(0);
    expect(sumOf(samples, "rugwatch_observation_age_seconds")).toBeLessThan(60);
    expect(sumOf(samples, "rugwatch_publication_age_seconds")).toBeLessThan(60);
  });

  it("name an endpoint by its origin, and nothing of its path or query", async () => {
    await stage.play({ until: STARTS_AT + 2 * MINUTE });
    const endpoints = new Set((await read()).flatMap(({ labels }) => labels["endpoint"] ?? []));
    expect(endpoints).toEqual(new Set(upstream.rpcUrls.map((url) => new URL(url).origin)));
    expect(await metrics.registry.metrics()).not.toContain("s3cret");
  });

  it("tell of an outage: by outcome, by age, and by a health of 503 that says why", async () => {
    await stage.play({ until: STARTS_AT + 3 * MINUTE });
    expect(metrics.getHealth()).toMatchObject({ isWell: true });
    const count = new Set(upstream.rpcUrls.map((url) => new URL(url).origin)).size;
    expect(sumOf(await read(), "rugwatch_witnesses", { state: "usable" })).toBe(count);
    upstream.setFault(() => new RpcFailure(-32_005, "Node is behind\u001b[31m by 200 slots"));
    await stage.play({ until: STARTS_AT + 12 * MINUTE });
    const samples = await read();
    expect(sumOf(samples, "rugwatch_observations_total", { kind: "check", outcome: "refused" })).toBeGreaterThan(5);
    expect(sumOf(samples, "rugwatch_rpc_calls_total", { outcome: "behind" })).toBeGreaterThan(5);
    expect(sumOf(samples, "rugwatch_endpoint_readings_total", { outcome: "refused" })).toBeGreaterThan(5);
    const states = ["configured", "usable", "needed"];
    expect(states.map((state) => sumOf(samples, "rugwatch_witnesses", { state }))).toEqual([count, 0, 1]);
    expect(sumOf(samples, "rugwatch_observation_age_seconds")).toBeGreaterThan(HEALTHY_SECONDS);
    const { isWell, text } = metrics.getHealth();
    expect(isWell).toBe(false);
    expect(text).toMatch(
      /^mainnet: observation accepted last: \d{3} s ago; refused since: .*Node is behind by 200 slots/,
    );
  });

  it("count what came of each alert, by target, from 0 on", async () => {
    const { onAlert, onAlertQueue } = metrics.watch("mainnet");
    onAlert({ target: "ops", fate: "waiting" });
    const first = await read();
    expect(first.filter(({ name }) => name === "rugwatch_alert_attempts_total")).toHaveLength(4);
    onAlert({ target: "ops", fate: "setAside" });
    onAlertQueue({ target: "ops", waiting: 1, oldestAt: stage.clock.now() });
    await stage.clock.sleepUntil(stage.clock.now() + 90_000);
    const second = await read();
    const counts = ["delivered", "failed", "set_aside", "given_up"].map((outcome) =>
      sumOf(second, "rugwatch_alert_attempts_total", { target: "ops", outcome }),
    );
    expect(counts).toEqual([0, 1, 1, 0]);
    expect(sumOf(second, "rugwatch_alert_waiting_messages", { target: "ops" })).toBe(1);
    expect(sumOf(await read(), "rugwatch_alert_oldest_undelivered_seconds", { target: "ops" })).toBe(90);
    onAlertQueue({ target: "ops", waiting: 0, oldestAt: null });
    expect(sumOf(await read(), "rugwatch_alert_oldest_undelivered_seconds", { target: "ops" })).toBe(0);
  });

  it("give a process that has only begun the time to fold what others journaled", async () => {
    metrics.watch("mainnet");
    expect(metrics.getHealth()).toEqual({ isWell: true, text: "mainnet: observation accepted last: never" });
    await stage.clock.sleepUntil(stage.clock.now() + HEALTHY_SECONDS * 1000);
    expect(metrics.getHealth().isWell).toBe(false);
    expect(sumOf(await read(), "rugwatch_observation_age_seconds")).toBe(HEALTHY_SECONDS);
  });
});
