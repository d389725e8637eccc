import { createRandom } from "../../../generator/demo/random.ts";
import type { Phase, StoreRequest } from "./recording-proxy.ts";

/** When a run is killed: so long after its start, or where one of its requests, or of those that write, is. */
export type KillMoment = { afterMilliseconds: number } | { of: "requests" | "writes"; ordinal: number; phase: Phase };

const PHASES = ["before it was done", "done, not answered", "answered"] as const;
/** About as many as one observation and its publishing ask; of the writes the first ones are journal, lease and documents. */
const ORDINALS_MAX = { requests: 100, writes: 40 };

/**
 * Draws when each run is killed: a third of them by the clock, a third at a request, a third at a write, the first ones more
 * often.
 *
 * @param longestMilliseconds that a run may take.
 */
export function drawMoments(runs: number, seed: number, longestMilliseconds: number): KillMoment[] {
  const random = createRandom(`killed runs ${seed}`);
  return Array.from({ length: runs }, (_, run): KillMoment => {
    if (run % 3 === 0) return { afterMilliseconds: random.whole(longestMilliseconds, "after", run) };
    const of = run % 3 === 1 ? "requests" : "writes";
    const ordinal = Math.ceil(ORDINALS_MAX[of] ** random.fraction("ordinal", run));
    return { of, ordinal, phase: PHASES[random.whole(PHASES.length, "phase", run)] ?? "answered" };
  });
}

/** Whether a request has come to where its process is to be killed. */
export function isMoment(moment: KillMoment, { ordinal, writeOrdinal, phase }: StoreRequest): boolean {
  if ("afterMilliseconds" in moment || moment.phase !== phase) return false;
  return moment.ordinal === (moment.of === "writes" ? writeOrdinal : ordinal);
}

/** What a process was doing, by its requests to the stores until then. */
export function tellActivity(requests: readonly StoreRequest[]): string {
  const underWay = requests.filter(({ phase }) => phase !== "answered");
  const write = underWay.find(({ writeOrdinal }) => writeOrdinal !== null);
  if (write !== undefined) return tellWrite(write);
  if (underWay.length > 0) return "reading the stores";
  if (requests.length === 0) return "starting";
  const isPublished = requests.slice(-3).some(({ method, path }) => method === "PUT" && path.endsWith("status.json"));
  return isPublished ? "waiting for its minute" : "observing, folding or rendering";
}

function tellWrite({ path }: StoreRequest): string {
  if (path.includes("/public/")) return path.endsWith("status.json") ? "putting the status" : "putting documents";
  const folder = /\/state\/([^/]+)\//.exec(path)?.[1] ?? "state";
  return folder === "journal" ? "journaling" : `writing ${folder}`;
}
