import { z } from "zod";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { networkSchema, type Network } from "../../../generator/contract/networks.ts";
import { statusSchema } from "../../../generator/contract/status.ts";

/** The schedule's event. */
export const inputSchema = z.object({ siteUrl: z.url(), networks: z.array(networkSchema) });

/** What the schedule passes in. */
export type Input = z.infer<typeof inputSchema>;

/** The metric that the alarm watches; seconds. */
export const AGE_METRIC = {
  namespace: "Rugwatch",
  name: "AgeSeconds",
  dimension: "network",
} as const;

interface World {
  fetch: typeof fetch;
  now: () => number;
  /** CloudWatch reads the metric from the log. */
  write: (line: string) => void;
}

const TIMEOUT_MILLISECONDS = 10_000;

const documentSchema = z.object({ data: statusSchema.pick({ observedAt: true }) });

/**
 * Like a reader, so that a dead CDN shows. A fresh status that refuses
 * everything is old. An unreadable one has no age, which alarms too.
 */
export async function measureAges(
  { siteUrl, networks }: Input,
  { fetch, now, write }: World,
): Promise<void> {
  await Promise.all(
    networks.map(async (network) => {
      try {
        const observedAt = await readObservedAt(new URL(siteUrl), network, fetch);
        write(toMetricLine({ network, observedAt, now: now() }));
      } catch (error) {
        const message = `Cannot measure the age of ${network}: ${describe(error)}`;
        write(JSON.stringify({ level: "error", network, message }));
      }
    }),
  );
}

async function readObservedAt(siteUrl: URL, network: Network, get: typeof fetch): Promise<string> {
  const url = new URL(OPERATIONS.status.path, siteUrl);
  url.searchParams.set("network", network);
  const response = await get(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  if (!response.ok)
    throw new Error(
      `${OPERATIONS.status.path} answered ${response.status}. Look at the CDN and the proxy.`,
    );
  const { observedAt } = documentSchema.parse(await response.json()).data;
  if (observedAt === null)
    throw new Error("the generator has accepted no observation yet. Look at its last run.");
  return observedAt;
}

/**
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function toMetricLine({
  network,
  observedAt,
  now,
}: {
  network: Network;
  observedAt: string;
  now: number;
}): string {
  const { namespace, name, dimension } = AGE_METRIC;
  const metrics = [{ Name: name, Unit: "Seconds" }];
  return JSON.stringify({
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[dimension]], Metrics: metrics }],
    },
    [dimension]: network,
    [name]: Math.round((now - Date.parse(observedAt)) / 1000),
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
