import type { Network } from "../../contract/networks.ts";
import type { Status } from "../../contract/status.ts";
import { openJournal } from "../../journal/journal.ts";
import { isEntryName } from "../../journal/names.ts";
import { readSeries } from "../../journal/series.ts";
import { findLostState } from "../context.ts";
import { openCheckpoints } from "../projection/checkpoints.ts";
import { describeHoles } from "../projection/holes.ts";
import { createProjection, type Projection } from "../projection/projection.ts";
import { toQuarantined } from "../projection/quarantined.ts";
import { readPublished } from "../published.ts";
import { toCounted } from "../report.ts";
import { toFinding, toSpan, within, type CheckContext, type Finding } from "./check.ts";

/**
 * A snapshot is due every ten minutes. An older journal means that no process runs or that it is
 * stuck.
 */
const STALE_MILLISECONDS = 15 * 60_000;

/**
 * Reports since when the journal exists, what publishing waits for, what else is unusable, and how
 * recent the published documents are.
 * @throws {Error} when the series, the journal or a store cannot be read
 */
export async function checkJournal(network: Network, context: CheckContext): Promise<Finding[]> {
  const { stateStore, publicStore, clock, limits } = context;
  const known = await within(limits.answerMilliseconds, clock, () =>
    readSeries(stateStore, network),
  );
  const newest = known.at(-1);
  if (newest === undefined)
    return [judgeEmpty(network, await findLostState({ network, ...context }))];
  const journal = toFinding(
    "ok",
    "journal",
    `series ${newest.series}, since ${newest.since.slice(0, 10)}`,
  );
  const projection = await foldAsRun(network, newest.series, context);
  const waiting = [...judgeHoles(network, projection), ...judgeFolded(network, projection)];
  const status = (await readPublished(publicStore, network, "status"))?.data;
  const unusable = judgeUnusable(findOthers(projection, status?.quarantined ?? []));
  if (status) return [journal, ...waiting, ...unusable, judgeStatus(network, status, clock.now())];
  const again = `npm run generate -- publish --network ${network} puts it again.`;
  return [
    journal,
    ...waiting,
    ...unusable,
    toFinding("warning", "published", "no readable status.json", again),
  ];
}

function judgeEmpty(network: Network, lost: string | null): Finding {
  if (lost === null)
    return toFinding(
      "ok",
      "journal",
      `empty: npm run generate -- snapshot --network ${network} begins it`,
    );
  const advice = "Every command refuses. infra/RUNBOOK.md says how to bring the journal back.";
  return toFinding("problem", "journal", lost, advice);
}

/**
 * Only reads, and for half of the time: without a checkpoint of this version folding takes
 * minutes.
 */
async function foldAsRun(
  network: Network,
  series: number,
  { stateStore, clock, signal, limits }: CheckContext,
): Promise<Projection> {
  const { now } = clock;
  const place = { store: stateStore, network, series };
  const journal = openJournal(place);
  const checkpoints = openCheckpoints({ place, journal }, { keeps: false });
  const late = new AbortController();
  const projection = createProjection({
    network,
    series,
    journal,
    now,
    checkpoints,
    signal: AbortSignal.any([signal, late.signal]),
  });
  const folded = new AbortController();
  const due = clock.sleepUntil(now() + limits.checkMilliseconds / 2, folded.signal);
  due.then(
    () => late.abort(),
    () => undefined,
  );
  try {
    await projection.refresh();
  } finally {
    folded.abort();
  }
  return projection;
}

function judgeHoles(network: Network, projection: Projection): Finding[] {
  const outdated = projection.outdated();
  if (outdated !== null)
    return [
      toFinding("problem", "journal", outdated, "This generator does not publish: update it."),
    ];
  const waiting = describeHoles(projection.holes(), network);
  return waiting === null
    ? []
    : [toFinding("problem", "journal", `publishing waits: ${waiting.fault}`, waiting.remedy)];
}

function judgeFolded(network: Network, projection: Projection): Finding[] {
  const { done, total } = projection.counts();
  if (done >= total) return [];
  const found = `${toCounted(total - done, "entry", "entries")} could not be read in time`;
  return [
    toFinding(
      "warning",
      "journal",
      found,
      `npm run generate -- rebuild --verify --network ${network} reads all.`,
    ),
  ];
}

/**
 * Unusable objects for which publishing does not wait. Only the last run knows the foreign ones in
 * the public store.
 */
function findOthers(
  projection: Projection,
  atLastRun: Status["quarantined"],
): Status["quarantined"] {
  const holes = new Set(projection.holes().map(({ name }) => name));
  const published = atLastRun.filter(({ object }) => !isEntryName(object));
  const all = [...published, ...projection.quarantined()].filter(
    ({ object }) => !holes.has(object),
  );
  return toQuarantined(all.map(({ object, reason }) => [object, reason]));
}

function judgeUnusable(quarantined: Status["quarantined"]): Finding[] {
  const named = quarantined.at(-1);
  if (named === undefined) return [];
  const found = `${toCounted(quarantined.length, "unusable object")}, for example ${named.object}: ${named.reason}`;
  return [
    toFinding(
      "warning",
      "journal",
      found,
      "It is left out. Find out who writes there: only Rugwatch should.",
    ),
  ];
}

function judgeStatus(
  network: Network,
  { generatedAt, observedAt, sources }: Status,
  now: number,
): Finding {
  const age = now - Date.parse(generatedAt);
  const observedAge = now - Date.parse(observedAt ?? generatedAt);
  const failing = sources
    .filter(({ state }) => state === "degraded" || state === "failed")
    .map(({ name, state, reason }) => `; ${name} ${state}${reason === null ? "" : ` (${reason})`}`);
  const isStale = Math.max(age, observedAge) > STALE_MILLISECONDS;
  const run = `Is npm run generate -- run --network ${network} running? See what it says, or take a snapshot.`;
  const level = isStale || failing.length > 0 ? "warning" : "ok";
  const found = `${toSpan(age)} ago, the newest observation ${toSpan(observedAge)} old${failing.join("")}`;
  return toFinding(level, "published", found, isStale ? run : "The other lines say what to fix.");
}
