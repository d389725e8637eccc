import type { CheckProcessor } from "./check-process.ts";
import { againstBudget, median, runBesideCluster } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

const PROCESSOR_MILLISECONDS_MAX = 120;
const BEGINS_AT = Date.UTC(2026, 10, 20, 10, 1);

export async function bench(): Promise<string> {
  const startsAt = BEGINS_AT - PLANNED_CLUSTER.epochMilliseconds / 2;
  const measured = await runBesideCluster(
    "check-process.ts",
    {},
    { beginsAt: BEGINS_AT, startsAt },
  );
  const { checks, readings } = measured as CheckProcessor;
  return [
    `a check of ${PLANNED_CLUSTER.validators.toLocaleString("en")} validators that changes nothing takes ${againstBudget(Math.round(median(checks) * 10) / 10, PROCESSOR_MILLISECONDS_MAX, "ms of processor time")}`,
    `reading and parsing one of its three lists alone takes ${median(readings).toFixed(1)} ms`,
  ].join("; ");
}
