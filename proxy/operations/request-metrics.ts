import { Counter, type Histogram, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";
import { LATENCY_BOUNDS_SECONDS, type Latencies, type RequestCounts } from "./request-counts.ts";

const DURATION = "rugwatch_http_request_duration_seconds";

/** Shows what was counted of requests each time the metrics are read. */
export function registerRequestMetrics(registry: Registry, { routes }: RequestCounts): void {
  new Counter({
    name: "rugwatch_http_requests_total",
    help: "Requests by route, method and status; 429 are those over the rate limit, gone whose client did not stay.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { statuses }] of routes)
        for (const [method, byStatus] of statuses)
          for (const [status, count] of byStatus)
            this.inc({ route, method, status: status === 0 ? "gone" : String(status) }, count);
    },
  });
  const help = "Seconds from a request's arrival until the kernel had the last byte of its answer.";
  const get = () =>
    Promise.resolve({
      name: DURATION,
      help,
      type: "histogram",
      aggregator: "sum",
      values: [...routes].flatMap(([route, { latencies }]) => toValues(route, latencies)),
    } as unknown as MetricObjectWithValues<MetricValue<string>>);
  // The library's Histogram only counts itself. What its registry needs of a metric is this much, which is also what it
  // registers when it adds up the metrics of many processes (AggregatorRegistry.aggregate).
  registry.registerMetric({ name: DURATION, get } as unknown as Histogram);
}

/** The series of a route: cumulative counts by upper bound, their sum, their number. */
function toValues(route: string, { counts, sumSeconds }: Latencies) {
  let count = 0;
  const buckets = [...LATENCY_BOUNDS_SECONDS, "+Inf"].map((le, bucket) => {
    count += counts[bucket] ?? 0;
    return { metricName: `${DURATION}_bucket`, labels: { route, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels: { route }, value: sumSeconds },
    { metricName: `${DURATION}_count`, labels: { route }, value: count },
  ];
}
