import type { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createMetrics as createGeneratorMetrics } from "../../generator/service/metrics/metrics.ts";
import { createMetrics as createProxyMetrics } from "../../proxy/monitoring/metrics.ts";
import { readCompose } from "./_compose.ts";
import { read, readHeadings } from "./_files.ts";

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: { runbook: string };
}
const { groups } = parse(read("infra/prometheus/rules.yml")) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(read("infra/prometheus/dashboard.json")) as { panels: Panel[] };
const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const exprs = [...shown, ...rules.map(({ expr }) => expr)];

function readSeries(registries: Registry[]): Map<string, ReadonlySet<string>> {
  const series = new Map<string, ReadonlySet<string>>();
  for (const metric of registries.flatMap((registry) => registry.getMetricsAsArray())) {
    const { name, type, labelNames } = metric as unknown as {
      name: string;
      type: string;
      labelNames: string[];
    };
    const labels = new Set([...labelNames, "job", "instance"]);
    if (type !== "histogram") series.set(name, labels);
    else
      for (const part of ["bucket", "sum", "count"])
        series.set(`${name}_${part}`, new Set([...labels, "le"]));
  }
  return series;
}

const clock = { now: () => 0, steadyNow: () => 0 };
const proxy = createProxyMetrics(clock.now);
proxy.observeLimiter({
  points: 60,
  consume: () => Promise.reject(new Error("nobody asks")),
  isShared: () => true,
});
const generator = createGeneratorMetrics(clock);
const series = readSeries([generator.registry, proxy.registry]);
series.set("up", new Set(["job", "instance"]));
for (const { record } of rules)
  if (record !== undefined) series.set(record, new Set(["network", "method", "outcome"]));

function readSelectors(expr: string): { name: string; labels: string[] }[] {
  const selectors = expr.matchAll(/\b(up|(?:rugwatch|process|nodejs)[\w:]*)\b(?:\{([^}]*)\})?/g);
  return [...selectors].map(([, name = "", labels = ""]) => ({
    name,
    labels: [...labels.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label),
  }));
}

it("the rules and the dashboard ask only for metrics and labels that the code has", () => {
  const selectors = exprs.flatMap((expr) => {
    const found = readSelectors(expr);
    expect(found, expr).not.toEqual([]);
    return found;
  });
  const isKnown = (name: string, labels: string[]) =>
    new Set(labels).isSubsetOf(series.get(name) ?? new Set());
  const known = selectors.filter(({ name, labels }) => series.has(name) && isKnown(name, labels));
  expect(selectors).toEqual(known);
});

describe("the alerts", () => {
  it("are each told to fire, and not to, by the tests that promtool runs", () => {
    const told = read("infra/prometheus/rules.test.yml");
    const alerts = rules.flatMap(({ alert }) => alert ?? []);
    expect(alerts.filter((alert) => !new RegExp(`\\b${alert}\\b`).test(told))).toEqual([]);
    expect(told).toContain("count(ALERTS) or vector(0)");
  });

  it("lead to a heading of the runbook each", () => {
    const headings = readHeadings(read("infra/RUNBOOK.md"));
    const ways = rules
      .filter(({ alert }) => alert !== undefined)
      .map(({ annotations }) => annotations?.runbook ?? "");
    expect(ways.length).toBeGreaterThan(8);
    expect(ways.filter((way) => !headings.has(way.replace("infra/RUNBOOK.md#", "")))).toEqual([]);
  });
});

describe("the dashboard", () => {
  it("shows every metric of the generator that is ours", () => {
    const asked = new Set(exprs.flatMap(readSelectors).map(({ name }) => name));
    const own = generator.registry.getMetricsAsArray().map(({ name }) => name);
    const isShown = (name: string) => asked.has(name) || asked.has(`${name}_bucket`);
    const missing = own.filter((name) => name.startsWith("rugwatch_") && !isShown(name));
    expect(missing).toEqual(["rugwatch_listed_validators", "rugwatch_searched_slot"]);
  });
});

describe("what Prometheus asks", () => {
  const { services } = readCompose("infra/compose.yaml");
  const { scrape_configs: jobs } = parse(read("infra/prometheus/prometheus.yml")) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };

  it("is what the compose file opens to it alone", () => {
    const targets = jobs.flatMap(({ static_configs: [first] }) => first?.targets ?? []);
    const watched = Object.entries(services).filter(([, { networks }]) =>
      networks.includes("watched"),
    );
    expect(targets).toEqual(["generator:9465", "proxy:9464"]);
    expect(
      watched.map(([name, one]) => `${name}:${one.environment?.["METRICS_PORT"]}`).toSorted(),
    ).toEqual(targets);
    for (const [, service] of watched)
      expect(service).toMatchObject({ expose: expect.any(Array) as string[] });
  });

  it("is named as rules and dashboard know it", () => {
    const named = exprs.flatMap((expr) =>
      [...expr.matchAll(/job="([^"]*)"/g)].map(([, job]) => job),
    );
    expect(named.length).toBeGreaterThan(0);
    const known = jobs.map((job) => job.job_name);
    expect(named.filter((job) => !known.includes(job ?? ""))).toEqual([]);
  });
});
