import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Random } from "../random.ts";
import { findGenerations, toVotePubkey } from "./generations.ts";

/** The store's deadline, and two seconds for a busy machine. */
const ANSWERED_WITHIN_MILLISECONDS = 7_000;
const PAUSE_MILLISECONDS = 50;
const FAULTS_MAX = 100;
/** Older answers must say that they are stale. */
const UNMARKED_MAX_SECONDS = 60;
/** The store is asked every 15 s; one second for reading under load. */
const SEEN_MAX_MILLISECONDS = 16_000;
/** After an outage a 5 s attempt may be running, and the next follows 15 s later. */
const RECOVERED_MAX_MILLISECONDS = 21_000;

/** Asked again and again: answered once, always answered. Those from the index show the snapshot's age. */
const PATHS = {
  index: [
    "/api/v1/validators",
    "/api/v1/validators?page=2&limit=100",
    "/api/v1/events?epochs=50",
    "/api/v1/stats/rugs-per-epoch",
    `/api/v1/search?q=${toVotePubkey(0).slice(0, 3)}`,
  ],
  held: [
    `/api/v1/validators/${toVotePubkey(0)}`,
    `/api/v1/validators/${toVotePubkey(1)}`,
    `/api/v1/validators/${toVotePubkey(0)}/uptime`,
    "/api/v1/epoch",
    "/healthz",
    "/readyz",
  ],
  missing: [`/api/v1/validators/${toVotePubkey(1_000_000)}`, "/api/v1/no-such-path"],
};
const STRANGERS = 10 ** 8;

export interface World {
  url: string;
  /** With documents. */
  validators: number;
  now: () => number;
  /** When the store came up; null: it is down. */
  upSince: () => number | null;
}

/** What all clients have seen. */
export function createSeen({ now, upSince }: World) {
  const seen = { requests: 0, statuses: {} as Record<number, number>, stale: 0, largestAgeSeconds: 0, snapshots: 0 };
  const faults: string[] = [];
  const held = new Set<string>();
  let newest = { generation: 0, at: 0 };
  let last = 0;

  /** What is wrong with the age of an answer from the index; null: nothing. */
  function judgeFreshness(generation: number, isStale: boolean): string | null {
    if (generation < last) return `the snapshot ${generation} after ${last}`;
    if (generation > last) seen.snapshots += 1;
    last = generation;
    const since = upSince();
    if (since === null) return null;
    const hasRecovered = newest.at - since >= RECOVERED_MAX_MILLISECONDS;
    const waited = now() - (hasRecovered ? newest.at : Math.max(newest.at, since));
    if (waited <= (hasRecovered ? SEEN_MAX_MILLISECONDS : RECOVERED_MAX_MILLISECONDS)) return null;
    if (generation < newest.generation) return `${newest.generation} is out for ${waited} ms, and not ${generation}`;
    return isStale ? `said to be stale ${waited} ms after the store came back` : null;
  }

  return {
    ...{ seen, faults, held, judgeFreshness },
    published: (generation: number) => void (newest = { generation, at: now() }),
    say: (path: string, fault: string | null): void => {
      if (fault !== null && faults.length < FAULTS_MAX)
        faults.push(`${new Date(now()).toISOString()} ${path}: ${fault}`);
    },
  };
}

/** A client that keeps asking and checks each answer. */
export async function runClient(
  world: World,
  { seen, held, say, judgeFreshness }: ReturnType<typeof createSeen>,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<void> {
  const dispatcher = new Agent({ connections: 1, headersTimeout: 0, bodyTimeout: 0 });
  const pick = (paths: readonly string[]) => paths[random.below(paths.length)] ?? "/";

  async function ask(path: string) {
    const answer = await request(world.url + path, {
      dispatcher,
      headers: { "x-forwarded-for": `10.0.${random.below(4)}.${random.below(256)}` },
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MILLISECONDS),
    });
    const body = new Uint8Array(await answer.body.arrayBuffer());
    const status = answer.statusCode;
    const generations = findGenerations(Buffer.from(body).toString());
    const age = Number(answer.headers["age"] ?? 0);
    const isStale = answer.headers["x-data-stale"] === "true";
    say(path, findFault({ status, headers: answer.headers, body, generations, age, isStale }));
    seen.requests += 1;
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    if (isStale) seen.stale += 1;
    if (isStale) seen.largestAgeSeconds = Math.max(seen.largestAgeSeconds, age);
    return { status, generation: generations[0] ?? null, isStale };
  }

  async function askForOne(): Promise<void> {
    const drawn = random.below(6);
    if (drawn < 2) {
      const path = pick(PATHS.index);
      const { status, generation, isStale } = await ask(path);
      if (status !== 200) say(path, `status ${status}`);
      else say(path, generation === null ? "no mark" : judgeFreshness(generation, isStale));
    } else if (drawn < 4) {
      const path = pick(drawn === 2 ? PATHS.held : PATHS.missing);
      const { status } = await ask(path);
      if (status !== (drawn === 2 ? 200 : 404)) say(path, `status ${status}`);
    } else if (drawn === 4) {
      // It may be the first to ask for this during an outage.
      const path = `/api/v1/validators/${toVotePubkey(random.below(world.validators))}`;
      const { status } = await ask(path);
      if (status === 200) held.add(path);
      else if (status !== 503 || held.has(path)) say(path, `status ${status}`);
    } else {
      const stranger = random.below(STRANGERS);
      const made = [`/api/v1/validators/${toVotePubkey(-stranger)}`, `/api/v1/epochs/${stranger}/events`];
      const path = pick([...made, `/api/v1/search?q=nobody${stranger}`]);
      const { status } = await ask(path);
      if (![200, 404, 503].includes(status)) say(path, `status ${status}`);
    }
  }

  while (!signal.aborted) {
    await askForOne().catch((error: unknown) => say("", `no answer: ${String(error)}`));
    await wait(PAUSE_MILLISECONDS);
  }
  await dispatcher.close();
}

interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Not decoded. */
  body: Uint8Array;
  generations: number[];
  age: number;
  isStale: boolean;
}

/** Why an answer is not whole: bytes against headers, or several snapshots mixed. null: it is whole. */
function findFault({ status, headers, body, generations, age, isStale }: WireAnswer): string | null {
  const length = headers["content-length"];
  if (length !== String(body.byteLength)) return `${body.byteLength} bytes, Content-Length ${String(length)}`;
  if (!isJson(body)) return "the body is not whole JSON";
  if (generations.length > 1) return `torn: of the snapshots ${generations.join(", ")}`;
  if (generations.some((generation) => generation > 900_000)) return "of a snapshot that must never be served";
  if (status === 503) return headers["retry-after"] === undefined ? "503 without Retry-After" : null;
  if (status !== 200) return null;
  if (headers["etag"] !== `"${hash("sha256", body, "base64url")}"`) return "the ETag is not that of the body";
  if (!Number.isSafeInteger(age) || age < 0) return `Age ${String(headers["age"])}`;
  if (age >= UNMARKED_MAX_SECONDS + 1 && !isStale) return `${age} s old and not marked stale`;
  return null;
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString());
    return true;
  } catch {
    return false;
  }
}

/** Asks once for everything that is checked from then on. */
export async function warmUp(url: string): Promise<void> {
  for (const path of Object.values(PATHS).flat()) await (await request(url + path)).body.dump();
}
