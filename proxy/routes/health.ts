import type { H3 } from "h3";
import { DEFAULT_NETWORK } from "../../generator/contract/networks.ts";
import { toAnswer, toJson } from "../cache/answer.ts";
import { withDeadline } from "../cache/revalidate.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import { upstreamUnavailable } from "../http/errors.ts";
import { NO_VARIANTS } from "../http/reply.ts";
import { HEALTH_PATHS } from "../operations/requests.ts";
import { defineGet } from "./route.ts";

/** Load balancers give up on a check after two seconds or more; while nothing is held the store may take five. */
const READY_DEADLINE_MILLISECONDS = 1_000;
const RETRY_SECONDS = 5;

/**
 * `/healthz`: the process answers. `/readyz`: the default network's snapshot is held, old or not: while the store is down all
 * processes hold what they had, and to take them out would turn old answers into none.
 */
export function addHealth(app: H3, snapshots: Snapshots, isStopping: () => boolean): void {
  const ok = { value: toAnswer(toJson({ status: "ok" }, {}), "error"), stale: false, ageSeconds: 0, freshUntil: 0 };
  const ready = async () => {
    if (isStopping()) throw upstreamUnavailable("This process is shutting down", RETRY_SECONDS);
    try {
      const { stale, ageSeconds } = await withDeadline(snapshots.get(DEFAULT_NETWORK), READY_DEADLINE_MILLISECONDS);
      return { ...ok, stale, ageSeconds };
    } catch (error) {
      throw upstreamUnavailable(`No snapshot of ${DEFAULT_NETWORK} is held yet`, RETRY_SECONDS, error);
    }
  };
  const [livePath, readyPath] = HEALTH_PATHS;
  app.all(
    livePath,
    defineGet(() => Promise.resolve(ok), NO_VARIANTS),
  );
  app.all(readyPath, defineGet(ready, NO_VARIANTS));
}
