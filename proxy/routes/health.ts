import type { H3 } from "h3";
import { DEFAULT_NETWORK } from "../../generator/contract/networks.ts";
import { toAnswer, toJson, type Reading } from "../cache/answer.ts";
import { withDeadline } from "../cache/revalidate.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import { upstreamUnavailable } from "../http/api-error.ts";
import { NO_VARIANTS } from "../http/reply.ts";
import { HEALTH_PATHS } from "../operations/requests.ts";
import { defineGet } from "./route.ts";

interface HealthOptions {
  snapshots: Snapshots;
  /** Whether the process has been told to stop. */
  isStopping: () => boolean;
}

/** Load balancers give up on a check after two seconds or more; while nothing is held the store may take five. */
const READY_DEADLINE_MILLISECONDS = 1_000;
const RETRY_SECONDS = 5;

/**
 * Two questions of whoever runs the proxy, outside of the API's description and of its limit. `/healthz`: the process
 * answers, and nothing else; to start it again mends nothing that is wrong with the store. `/readyz`: the default network's
 * snapshot is held, old or not. While the store is down all processes hold what they had, and a load balancer that took
 * them out for it would turn old answers into none.
 */
export function addHealth(app: H3, { snapshots, isStopping }: HealthOptions): void {
  const ok = toAnswer(toJson({ status: "ok" }, {}), "error");
  const live = () => Promise.resolve({ value: ok, stale: false, ageSeconds: 0, freshUntil: 0 });
  const ready = async () => {
    if (isStopping()) throw upstreamUnavailable("This process is shutting down", RETRY_SECONDS);
    return { ...(await getHeld(snapshots)), value: ok, freshUntil: 0 };
  };
  app.all(HEALTH_PATHS.live, defineGet(live, NO_VARIANTS));
  app.all(HEALTH_PATHS.ready, defineGet(ready, NO_VARIANTS));
}

async function getHeld(snapshots: Snapshots): Promise<Reading<Snapshot>> {
  try {
    return await withDeadline(snapshots.get(DEFAULT_NETWORK), READY_DEADLINE_MILLISECONDS);
  } catch (error) {
    throw upstreamUnavailable(`No snapshot of ${DEFAULT_NETWORK} is held yet`, RETRY_SECONDS, error);
  }
}
