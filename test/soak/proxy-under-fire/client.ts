import { Agent, request } from "undici";
import type { Random } from "../random.ts";
import { checkAnswer } from "./check.ts";
import type { Freshness } from "./freshness.ts";
import { toVotePubkey } from "./generations.ts";

/** A request takes no longer than the store's deadline, and two seconds for a busy machine. */
const ANSWERED_WITHIN_MILLISECONDS = 7_000;
/** Between two requests of one client: it is there to look, wrk to load. */
const PAUSE_MILLISECONDS = 20;
const FAULTS_MAX = 100;

/** What is asked again and again: once answered, always answered. Those from the index show how new the snapshot is. */
const PATHS = {
  index: [
    "/api/v1/validators",
    "/api/v1/validators?page=2&limit=100",
    "/api/v1/events?epochs=50",
    "/api/v1/stats/rugs-per-epoch",
    `/api/v1/search?q=${toVotePubkey(0).slice(0, 3)}`,
  ],
  document: [`/api/v1/validators/${toVotePubkey(0)}`, `/api/v1/validators/${toVotePubkey(1)}`],
  other: ["/api/v1/epoch", "/healthz", "/readyz", `/api/v1/validators/${toVotePubkey(0)}/uptime`],
  missing: [`/api/v1/validators/${toVotePubkey(1_000_000)}`, "/api/v1/no-such-path"],
};

interface ClientOptions {
  url: string;
  random: Random;
  validators: number;
  freshness: Freshness;
  now: () => number;
}

/** What the clients have seen, all of them together. */
export interface Seen {
  requests: number;
  statuses: Record<number, number>;
  stale: number;
  largestAgeSeconds: number;
  slowestMilliseconds: number;
  torn: number;
  faults: string[];
  /** Paths of documents that were answered with 200: the proxy holds them. */
  held: Set<string>;
}

export function createSeen(): Seen {
  return {
    requests: 0,
    statuses: {},
    stale: 0,
    largestAgeSeconds: 0,
    slowestMilliseconds: 0,
    torn: 0,
    faults: [],
    held: new Set(),
  };
}

/** One client that asks for one thing after the other until it is told to stop, and checks what it gets. */
export async function runClient(seen: Seen, signal: AbortSignal, options: ClientOptions): Promise<void> {
  const { url, random, validators, freshness, now } = options;
  const dispatcher = new Agent({ connections: 1, headersTimeout: 0, bodyTimeout: 0 });
  const kinds = Object.keys(PATHS) as (keyof typeof PATHS)[];

  function say(fault: string | null): void {
    if (fault !== null && seen.faults.length < FAULTS_MAX)
      seen.faults.push(`${new Date(now()).toISOString()} ${fault}`);
  }

  async function ask(path: string): Promise<{ status: number; generation: number | null; isStale: boolean }> {
    const startedAt = now();
    const answer = await request(url + path, {
      dispatcher,
      headers: { "x-forwarded-for": "192.0.2.1" },
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MILLISECONDS),
    });
    const body = new Uint8Array(await answer.body.arrayBuffer());
    const { fault, generation, staleSeconds } = checkAnswer({
      path,
      status: answer.statusCode,
      headers: answer.headers,
      body,
    });
    say(fault);
    seen.requests += 1;
    seen.statuses[answer.statusCode] = (seen.statuses[answer.statusCode] ?? 0) + 1;
    seen.slowestMilliseconds = Math.max(seen.slowestMilliseconds, now() - startedAt);
    if (fault?.includes("torn") === true) seen.torn += 1;
    if (staleSeconds !== null) seen.stale += 1;
    seen.largestAgeSeconds = Math.max(seen.largestAgeSeconds, staleSeconds ?? 0);
    return { status: answer.statusCode, generation, isStale: staleSeconds !== null };
  }

  async function askForOne(kind: keyof typeof PATHS | "any"): Promise<void> {
    if (kind === "any") {
      const path = `/api/v1/validators/${toVotePubkey(random.below(validators))}`;
      const { status } = await ask(path);
      // It may be the first to ask for this one while the store is down.
      const isRight = status === 200 || (status === 503 && !seen.held.has(path));
      if (!isRight) say(`${path}: status ${status}`);
      else if (status === 200) seen.held.add(path);
      return;
    }
    const paths = PATHS[kind];
    const path = paths[random.below(paths.length)] ?? "/";
    const { status, generation, isStale } = await ask(path);
    if (status !== (kind === "missing" ? 404 : 200)) say(`${path}: status ${status}`);
    else if (kind === "index") say(generation === null ? `${path}: no mark` : freshness.answered(generation, isStale));
  }

  while (!signal.aborted) {
    const drawn = random.below(kinds.length + 1);
    try {
      await askForOne(kinds[drawn] ?? "any");
    } catch (error) {
      say(`no answer: ${String(error)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  await dispatcher.close();
}

/** Has everything answered once that is asked again and again, and is checked from then on. */
export async function warmUp(url: string): Promise<void> {
  for (const path of Object.values(PATHS).flat()) {
    const { body } = await request(url + path);
    await body.dump();
  }
}

/** What wrk asks for. */
export function listPaths(validators: number): string[] {
  const profiles = Array.from({ length: Math.min(validators, 200) }, (_, n) => `/api/v1/validators/${toVotePubkey(n)}`);
  const pages = Array.from({ length: 40 }, (_, n) => `/api/v1/validators?limit=50&page=${n + 1}`);
  return [...profiles, ...pages, ...PATHS.index, ...PATHS.other, ...PATHS.missing];
}
