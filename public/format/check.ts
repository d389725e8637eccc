import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toCounted, toDuration } from "./values.ts";

type ConfirmedBy = NonNullable<CommissionEvent["confirmedBy"]>;

const CONFIRMED_TEXTS = {
  transaction: "its transaction, which proves it",
  witnesses: "a majority of the endpoints",
  account: "the account itself, at one endpoint",
  observations: "further observations",
} as const satisfies Record<ConfirmedBy, string>;

/** Of a change of MEV commission, which no transaction makes. */
const TIPS_TEXTS: Partial<Record<ConfirmedBy, string>> = {
  witnesses: "its tip-distribution account, at a majority of the endpoints",
  account: "its tip-distribution account, at one endpoint",
};

/** What confirmed a change besides the observation that first showed it; null: not known. */
export function toConfirmedText({
  source,
  confirmed,
  confirmedBy,
}: Pick<CommissionEvent, "source" | "confirmed" | "confirmedBy">): string | null {
  if (!confirmed) return "nothing: only public history has this change";
  if (confirmedBy === null) return null;
  const ofTips = source === "MEV" ? TIPS_TEXTS[confirmedBy] : undefined;
  return ofTips ?? CONFIRMED_TEXTS[confirmedBy];
}

type Window = Pick<CommissionEvent, "slot" | "previousSlot" | "createdAt" | "previousSeenAt">;

/** "150 slots, 1 minute": from the last sight of the old value to the first of the new one. */
export function toBetweenText(event: Window): string | null {
  const between = toBetween(event);
  if (between === null) return null;
  const slots = toCounted(between.slots, "slot");
  return between.milliseconds === null ? slots : `${slots}, ${toDuration(between.milliseconds)}`;
}

/** null: nobody observed the old value. */
export function toBetween({
  slot,
  previousSlot,
  createdAt,
  previousSeenAt,
}: Window): { slots: number; milliseconds: number | null } | null {
  if (previousSlot === null || previousSlot >= slot) return null;
  const hasTimes = createdAt !== null && previousSeenAt !== null;
  return {
    slots: slot - previousSlot,
    milliseconds: hasTimes ? Date.parse(createdAt) - Date.parse(previousSeenAt) : null,
  };
}

/** Public endpoints of the clusters; alpenglow has none that keeps its name. */
const RPC_URLS: Record<Network, string | null> = {
  mainnet: "https://api.mainnet-beta.solana.com",
  testnet: "https://api.testnet.solana.com",
  alpenglow: null,
};

/** A shell command that reads an event's transaction; null: there is nothing to read. */
export function toRpcCommand(
  { transaction }: Pick<CommissionEvent, "transaction">,
  network: Network,
): string | null {
  const url = RPC_URLS[network];
  if (url === null || transaction === null || !isBase58(transaction.signature)) return null;
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "getTransaction",
    params: [
      transaction.signature,
      { encoding: "json", commitment: "finalized", maxSupportedTransactionVersion: 1 },
    ],
  };
  return `curl ${url} -H 'content-type: application/json' -d '${JSON.stringify(call)}'`;
}

/** A command of the generator that shows the observations behind an event. */
export function toExplainCommand({ id }: Pick<CommissionEvent, "id">, network: Network): string {
  return `npm run generate -- explain ${id} --network ${network}`;
}

/** A stranger's text never reaches a reader's shell. */
function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text);
}
