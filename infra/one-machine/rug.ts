import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** From the chain to the origin's documents (the promise of `generate run`), 75 s; the proxy holds them 15 s, nginx 60 s. */
const VISIBLE_MILLISECONDS = (75 + 15 + 60) * 1_000;
/** Of the simulated cluster there is one every two minutes, not all of which stay. */
const PATIENCE_MILLISECONDS = 10 * 60_000;
const LOOK_AGAIN_MILLISECONDS = 500;
/** A rise to so many percent is a RUG. */
const RUG_PERCENT = 90;

const voteAccountsSchema = z.object({
  result: z.object({
    current: z.array(z.object({ votePubkey: z.string(), commission: z.number() })),
    delinquent: z.array(z.object({ votePubkey: z.string(), commission: z.number() })),
  }),
});
const eventsSchema = z.object({
  data: z.array(z.object({ votePubkey: z.string(), toCommission: z.number().nullable() })),
});

interface RugOptions {
  url: string;
  rpcUrls: string;
  signal: AbortSignal;
}

/**
 * Watches the chain by itself for a rug, and nginx for the event, and says in a line how long it took.
 * @throws {Error} when it took too long, or no rug stayed that long
 */
export async function waitForRug({ url, rpcUrls, signal }: RugOptions): Promise<string> {
  // The first of the cluster's endpoints lies now and then, the second does not.
  const rpcUrl = rpcUrls.split(",")[1] ?? rpcUrls;
  const startedAt = performance.now();
  let before = await readCommissions(rpcUrl);
  /** When a rug was first seen on chain, by vote account. */
  const rugs = new Map<string, number>();
  while (performance.now() - startedAt < PATIENCE_MILLISECONDS) {
    await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
    const now = await readCommissions(rpcUrl);
    for (const [vote, percent] of now) {
      if (percent < RUG_PERCENT) rugs.delete(vote);
      else if ((before.get(vote) ?? percent) < RUG_PERCENT) rugs.set(vote, performance.now());
    }
    before = now;
    const told = rugs.size === 0 ? new Set() : await readRugs(url);
    for (const [vote, at] of rugs) {
      const took = performance.now() - at;
      if (told.has(vote)) return `a rug was visible through nginx ${(took / 1_000).toFixed(0)} s after it was on chain`;
      if (took > VISIBLE_MILLISECONDS)
        throw new Error(
          `A rug of ${vote} is not visible through nginx ${VISIBLE_MILLISECONDS / 1_000} s after it was on chain.`,
        );
    }
  }
  throw new Error("The simulated cluster told of no rug that stayed.");
}

async function readCommissions(rpcUrl: string): Promise<Map<string, number>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getVoteAccounts" });
  const response = await fetch(rpcUrl, { method: "POST", body, headers: { "content-type": "application/json" } });
  const { current, delinquent } = voteAccountsSchema.parse(await response.json()).result;
  return new Map([...current, ...delinquent].map(({ votePubkey, commission }) => [votePubkey, commission]));
}

async function readRugs(url: string): Promise<Set<string>> {
  const response = await fetch(`${url}/api/v1/events?severity=RUG&epochs=1`);
  return new Set(eventsSchema.parse(await response.json()).data.map(({ votePubkey }) => votePubkey));
}
