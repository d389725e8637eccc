import { countSchema } from "../../contract/values.ts";
import type { SearchAnswer } from "../../entries/entry.ts";
import { toRawText } from "../raw-text.ts";
import { RpcError } from "../../rpc/error.ts";
import { inLanes, type PacedEndpoint, type PacedWitness } from "./paced-witness.ts";
import { listSignatures, type SignatureList, type SignatureSearch } from "./signature-list.ts";

const KEEPS_FROM = "it keeps transactions from slot";

/** What a witness says of one search. */
export interface Searched {
  answer: SearchAnswer;
  /** What it lists in the slots of the search, newest first; also where it cannot tell how far back its list reaches. */
  signatures: string[];
}

/** How a search went, before it is known how far back the endpoint's transactions reach. */
type Listed = { endpoint: PacedEndpoint; list: SignatureList } | { error: RpcError };

/**
 * All searches by one witness, in their order.
 * @param deadline of the lists; what was not asked by then has failed
 * @param reachDeadline of what must still be asked then, lest all of them were for nothing
 */
export async function search(
  witness: PacedWitness,
  searches: readonly SignatureSearch[],
  { deadline, reachDeadline }: { deadline: number; reachDeadline: number },
): Promise<Searched[]> {
  const found = new Array<Listed>(searches.length);
  await inLanes(searches, async (one, index) => {
    found[index] = await settle(
      witness.ask(deadline, async (endpoint) => ({ endpoint, list: await listSignatures(endpoint, one, deadline) })),
    );
  });
  // Asked when all lists are here: meanwhile a node may have dropped its oldest slots.
  const reaches = await readReaches(found, reachDeadline);
  return found.map((one, index) => toSearched(one, { after: searches[index]?.after ?? 0, reaches }));
}

async function settle<T>(task: Promise<T>): Promise<T | { error: RpcError }> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof RpcError) return { error };
    throw error;
  }
}

type Reach = { firstSlot: number } | { error: RpcError };

/** The first slot of which each endpoint that listed something keeps the transactions: a list that was cut there looks complete. */
async function readReaches(found: readonly Listed[], deadline: number): Promise<Map<PacedEndpoint, Reach>> {
  const endpoints = found.flatMap((one) => ("list" in one && one.list.state === "ok" ? [one.endpoint] : []));
  const reaches = [...new Set(endpoints)].map(async (endpoint): Promise<[PacedEndpoint, Reach]> => {
    const call = endpoint.call({ method: "getFirstAvailableBlock", schema: countSchema, deadline });
    return [endpoint, await settle(call.then((firstSlot) => ({ firstSlot })))];
  });
  return new Map(await Promise.all(reaches));
}

function toSearched(
  found: Listed,
  { after, reaches }: { after: number; reaches: Map<PacedEndpoint, Reach> },
): Searched {
  if ("error" in found) return { answer: toFailure(found.error), signatures: [] };
  const { endpoint, list } = found;
  if (list.state === "busy") return { answer: list, signatures: [] };
  const { upTo, signatures } = list;
  const reach = reaches.get(endpoint);
  if (reach === undefined) throw new Error(`How far back ${endpoint.label} reaches was not asked`);
  if ("error" in reach) return { answer: toFailure(reach.error), signatures };
  // The first slot it keeps is one of those that its list is complete of.
  const from = Math.max(after, reach.firstSlot - 1);
  if (from < upTo) return { answer: { state: "ok", after: from, upTo }, signatures };
  const message = `${endpoint.label}: ${KEEPS_FROM} ${reach.firstSlot} on, and was asked for slots up to ${upTo}`;
  return { answer: toFailure(new RpcError({ kind: "shape", message })), signatures };
}

/** Whether it failed because the node keeps nothing of the slots that it was asked for: in all else it may answer well. */
export function isPruned(answer: SearchAnswer): boolean {
  return answer.state === "failed" && answer.reason.includes(KEEPS_FROM);
}

function toFailure({ kind, message }: RpcError): SearchAnswer {
  return { state: "failed", reason: toRawText(message), isRefused: kind === "refused" };
}
