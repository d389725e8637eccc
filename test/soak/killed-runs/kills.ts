import { createRandom } from "../../../infra/demo/cluster/random.ts";
import type { Phase, StoreRequest } from "./recording-proxy.ts";

/** What a request is for. */
export const KINDS = [
  "journal entry",
  "document",
  "manifest",
  "lease put",
  "checkpoint",
  "index",
  "mark",
  "lease delete",
  "pack",
  "status",
  "list",
] as const;
export type Kind = (typeof KINDS)[number];

/** Where a request is when its process dies. `late`: it is held, and done only when the next process has died as well. */
type Blow = Phase | "late";

/** When a process is killed. */
export type Kill =
  /** Some time after its first request, as a share of the time that one takes to observe and to publish. */
  | { afterShare: number }
  /** At one of its requests, or of those that write. */
  | { of: "requests" | "writes"; ordinal: number; blow: Blow }
  /** At the first request of a kind; of documents in the middle of them. */
  | { kind: Kind; blow: Blow };

type Aim = Extract<Kill, { kind: Kind }>;

const PHASES = ["before it was done", "done, not answered", "answered"] as const;
const BLOWS = ["before it was done", "done, not answered", "late"] as const;
/** About as many as one observation and its publishing ask; of the writes the first ones are journal, lease and documents. */
const ORDINALS_MAX = { requests: 100, writes: 40 };
/** A bit longer than the work: some wait for their next minute. */
const SHARE_MOST = 1.2;
/** Documents that a process has put when it is in the middle of them. */
const DOCUMENTS_BEFORE = 2;

/** Draws random kills: a third by the clock, a third at a request, a third at a write, the first ones more often. */
export function drawKills(count: number, seed: number): Kill[] {
  const random = createRandom(`killed runs ${seed}`);
  return Array.from({ length: count }, (_, run): Kill => {
    if (run % 3 === 0) return { afterShare: SHARE_MOST * random.fraction("after", run) };
    const of = run % 3 === 1 ? "requests" : "writes";
    const ordinal = Math.ceil(ORDINALS_MAX[of] ** random.fraction("ordinal", run));
    return { of, ordinal, blow: PHASES[random.whole(PHASES.length, "phase", run)] ?? "answered" };
  });
}

/** All aims there are, each kind once before any comes again, and then with the next blow; the seed says with which first. */
export function listAims(seed: number): Aim[] {
  return BLOWS.flatMap((_, round) =>
    KINDS.map((kind, place): Aim => ({ kind, blow: BLOWS[(seed + round + place) % BLOWS.length] ?? "late" })),
  );
}

/** Whether a request is the one at which its process is to be killed. */
export function isMeant(kill: Kill, request: StoreRequest, requests: readonly StoreRequest[]): boolean {
  if ("afterShare" in kill) return false;
  if ("of" in kill) return kill.ordinal === (kill.of === "writes" ? request.writeOrdinal : request.ordinal);
  if (kindOf(request) !== kill.kind) return false;
  const before = requests.filter((one) => one.ordinal < request.ordinal && kindOf(one) === kill.kind).length;
  return before >= (kill.kind === "document" ? DOCUMENTS_BEFORE : 0);
}

/** What a request is for; null: it reads one object, or writes what is written only once. */
export function kindOf({ method, path, isListing }: Pick<StoreRequest, "method" | "path" | "isListing">): Kind | null {
  if (isListing) return "list";
  if (method === "DELETE") return path.includes("/state/lease/") ? "lease delete" : null;
  if (method !== "PUT") return null;
  if (path.endsWith("/status.json")) return "status";
  if (path.endsWith("/index.json")) return "index";
  if (path.includes("/public/")) return "document";
  const folder = /\/state\/([^/]+)\//.exec(path)?.[1] ?? "";
  if (folder === "journal") return path.includes("/pack-") ? "pack" : "journal entry";
  return FOLDERS[folder] ?? null;
}

const FOLDERS: Record<string, Kind> = {
  backdated: "mark",
  checkpoints: "checkpoint",
  lease: "lease put",
  manifest: "manifest",
};

export function tellKill(kill: Kill): string {
  if ("afterShare" in kill) return `after ${kill.afterShare.toFixed(2)} of its work`;
  if ("of" in kill) return `${kill.of === "writes" ? "write" : "request"} ${kill.ordinal}, ${kill.blow}`;
  return `${kill.kind}, ${kill.blow}`;
}
