import { countSchema } from "../../contract/values.ts";
import type { SearchAnswer } from "../../entries/entry.ts";
import { toRawText } from "../section.ts";
import { RpcError } from "../../rpc/error.ts";
import { inLanes, type PacedEndpoint, type PacedWitness, type Until } from "./paced-witness.ts";
import { listSignatures, type SignatureList, type SignatureSearch } from "./signature-list.ts";

const KEEPS_FROM = "it keeps transactions from slot";

/** A witness's answer to a search, with the transactions that it lists. */
export interface Searched {
  answer: SearchAnswer;
  /** Newest first. */
  signatures: string[];
}

type Listed = { endpoint: PacedEndpoint; list: SignatureList } | { error: RpcError };

/** @param reach until when to ask how far back the endpoints reach, without which no list counts */
export async function search(
  witness: PacedWitness,
  searches: readonly SignatureSearch[],
  { lists, reach }: { lists: Until; reach: Until },
): Promise<Searched[]> {
  const found = new Array<Listed>(searches.length);
  await inLanes(searches, async (one, index) => {
    found[index] = await settle(
      witness.ask(lists.deadline, async (endpoint) => ({
        endpoint,
        list: await listSignatures(endpoint, one, lists),
      })),
    );
  });
  // A node may have dropped its oldest slots meanwhile.
  const reaches = await readReaches(found, reach);
  return found.map((one, index) =>
    toSearched(one, { after: searches[index]?.after ?? 0, reaches }),
  );
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

/** A list cut at the first kept slot looks complete. */
async function readReaches(
  found: readonly Listed[],
  until: Until,
): Promise<Map<PacedEndpoint, Reach>> {
  const endpoints = found.flatMap((one) =>
    "list" in one && one.list.state === "ok" ? [one.endpoint] : [],
  );
  const reaches = [...new Set(endpoints)].map(async (endpoint): Promise<[PacedEndpoint, Reach]> => {
    const call = endpoint.call({ method: "getFirstAvailableBlock", schema: countSchema, until });
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
  const from = Math.max(after, reach.firstSlot - 1);
  if (from < upTo) return { answer: { state: "ok", after: from, upTo }, signatures };
  const message = `${endpoint.label}: ${KEEPS_FROM} ${reach.firstSlot} on, but was asked for slots up to ${upTo}`;
  return { answer: toFailure(new RpcError({ kind: "shape", message })), signatures };
}

/** The node lacks those slots, and may answer well otherwise. */
export function isPruned(answer: SearchAnswer): boolean {
  return answer.state === "failed" && answer.reason.includes(KEEPS_FROM);
}

function toFailure({ kind, message }: RpcError): SearchAnswer {
  return { state: "failed", reason: toRawText(message), isRefused: kind === "refused" };
}
