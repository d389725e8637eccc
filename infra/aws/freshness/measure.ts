import { z } from "zod";
import { validatorsDocumentSchema } from "../../../generator/contract/document-schemas.ts";
import { messageOf } from "../../../generator/contract/error-message.ts";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { networkSchema, type Network } from "../../../generator/contract/networks.ts";
import { statusSchema } from "../../../generator/contract/status.ts";

/** The schedule's event. */
export const inputSchema = z.object({ siteUrl: z.url(), networks: z.array(networkSchema) });

/** What the schedule passes in. */
export type Input = z.infer<typeof inputSchema>;

/** What the alarms watch, by network. CloudWatch reads it from the log. */
export const METRICS = {
  namespace: "Rugwatch",
  dimension: "network",
  /** Of the older of the newest observation and the newest published snapshot, in seconds. */
  age: "AgeSeconds",
  /** How many things that the status names need somebody. */
  problems: "Problems",
} as const;

interface World {
  fetch: typeof fetch;
  now: () => number;
  write: (line: string) => void;
}

const TIMEOUT_MILLISECONDS = 10_000;

/** Reasons in one line of the log. */
const REASONS_MAX = 10;

/** Checks come each minute; between two parts of a run on GitHub some four minutes pass. */
const OBSERVED_MILLISECONDS = 5 * 60_000;

/** A change of MEV may need two snapshots, ten minutes apart. */
const PENDING_MILLISECONDS = 15 * 60_000;

const statusDocumentSchema = z.object({
  data: statusSchema.pick({ observedAt: true, pending: true, quarantined: true, sources: true }),
});
type Status = z.infer<typeof statusDocumentSchema>["data"];

const publishedSchema = z.object({
  meta: validatorsDocumentSchema.shape.meta.pick({ snapshotAt: true }),
});

/**
 * Like a reader, so that a dead CDN shows. The status is fresh even while nothing else is
 * published, so the list of validators is read too. What cannot be read has no age, which alarms
 * as well.
 */
export async function measureNetworks(
  { siteUrl, networks }: Input,
  { fetch, now, write }: World,
): Promise<void> {
  await Promise.all(
    networks.map(async (network) => {
      try {
        const read = createReader({ siteUrl, network, fetch });
        const [{ data }, { meta }] = await Promise.all([
          read(OPERATIONS.status.path, statusDocumentSchema),
          read(OPERATIONS.validators.path, publishedSchema),
        ]);
        const times = [
          toTime(data.observedAt, "the generator has accepted no observation yet"),
          toTime(meta.snapshotAt, "no snapshot is published yet"),
        ];
        const age = now() - Math.min(...times);
        write(toMetricLine({ network, age, problems: findProblems(data, now()), now: now() }));
      } catch (error) {
        const message = `Cannot measure the age of ${network}: ${messageOf(error)}`;
        write(JSON.stringify({ level: "error", network, message }));
      }
    }),
  );
}

function createReader({
  siteUrl,
  network,
  fetch: get,
}: Pick<World, "fetch"> & { siteUrl: string; network: Network }) {
  return async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.infer<Schema>> => {
    const url = new URL(path, siteUrl);
    url.searchParams.set("network", network);
    const response = await get(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (!response.ok)
      throw new Error(`${path} answered ${response.status}. Look at the CDN and the proxy.`);
    return schema.parse(await response.json());
  };
}

function toTime(time: string | null, missing: string): number {
  if (time === null) throw new Error(`${missing}. Look at the generator's last run.`);
  return Date.parse(time);
}

/** What needs somebody, however new a snapshot is published, in words. */
function findProblems(
  { observedAt, quarantined, pending, sources }: Status,
  now: number,
): string[] {
  const late = pending.filter(
    ({ disputed, firstSeenAt }) =>
      !disputed && now - Date.parse(firstSeenAt) > PENDING_MILLISECONDS,
  );
  const witnesses = sources.find(({ name }) => name === "witnesses");
  const isLate = observedAt !== null && now - Date.parse(observedAt) > OBSERVED_MILLISECONDS;
  return [
    ...(isLate ? [`nothing was accepted since ${observedAt}`] : []),
    ...quarantined.map(({ object }) => `${object} cannot be read`),
    ...late.map(({ votePubkey }) => `a change of ${votePubkey} has been pending for 15 minutes`),
    ...(witnesses === undefined || witnesses.state === "ok"
      ? []
      : ["too few endpoints answer to confirm a change"]),
  ];
}

/**
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function toMetricLine({
  network,
  age,
  problems,
  now,
}: {
  network: Network;
  /** In milliseconds. */
  age: number;
  problems: string[];
  now: number;
}): string {
  const metrics = [
    { Name: METRICS.age, Unit: "Seconds" },
    { Name: METRICS.problems, Unit: "Count" },
  ];
  const { namespace, dimension } = METRICS;
  return JSON.stringify({
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[dimension]], Metrics: metrics }],
    },
    [dimension]: network,
    [METRICS.age]: Math.round(age / 1000),
    [METRICS.problems]: problems.length,
    ...(problems.length > 0 && { reasons: problems.slice(0, REASONS_MAX) }),
  });
}
