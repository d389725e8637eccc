import { base58 } from "@scure/base";
import type { Network } from "../../generator/contract/networks.ts";

/** Queries of Solana's explorer; null: it does not show this network. */
const CLUSTERS: Record<Network, string | null> = {
  mainnet: "",
  testnet: "?cluster=testnet",
  alpenglow: null,
};
/** Of the type alone: the contract's list brings its parser along. */
export const NETWORKS = Object.keys(CLUSTERS) as readonly Network[];
export const DEFAULT_NETWORK: Network = "mainnet";

export type Query = Readonly<Record<string, string>>;

export function readNetwork(query: Query): Network {
  return readChoice(query["network"], NETWORKS, DEFAULT_NETWORK);
}

export function readChoice<const Choice extends string, Otherwise>(
  text: string | undefined,
  choices: readonly Choice[],
  otherwise: Otherwise,
): Choice | Otherwise {
  return choices.find((choice) => choice === text) ?? otherwise;
}

export function readVotes(text: string | undefined, most: number): string[] {
  const votes = (text ?? "").split(",").filter(isKey);
  return [...new Set(votes)].slice(0, most);
}

const KEY_TEXT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const KEY_BYTES = 32;

/** Whether a text is the Base58 of an account's key. */
export function isKey(text: string): boolean {
  return KEY_TEXT.test(text) && base58.decode(text).length === KEY_BYTES;
}

export function readWhole<Otherwise extends number | null>(
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: Otherwise },
): number | Otherwise {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return otherwise;
  const value = Number(text);
  return value >= min && value <= max ? value : otherwise;
}

export function toAddress(
  path: string,
  parameters: Readonly<Record<string, string | number | null>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && !(name === "network" && value === DEFAULT_NETWORK))
      query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** @param options.event id of a change whose evidence the page opens */
export function toValidatorAddress(
  votePubkey: string,
  network: Network,
  { event = null }: { event?: string | null } = {},
): string {
  return toAddress(`/validators/${encodeURIComponent(votePubkey)}`, { network, event });
}

/** Last check before a `javascript:` could do harm. */
export function toWebAddress(
  text: string | null,
  schemes: readonly string[] = ["https:", "http:"],
): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, href, username, password } = new URL(text);
  return schemes.includes(protocol) && username === "" && password === "" ? href : null;
}

const EXPLORER = "https://explorer.solana.com";

/** A page of the cluster's own explorer; null: it shows no such name. */
export function toExplorerAddress(
  kind: "tx" | "address",
  name: string,
  network: Network,
): string | null {
  const cluster = CLUSTERS[network];
  if (cluster === null || !isName(name)) return null;
  return `${EXPLORER}/${kind}/${name}${cluster}`;
}

/** Pages of a transaction in explorers of different operators; empty: they show none such. */
export function toExplorerAddresses(
  signature: string,
  network: Network,
): { name: string; address: string }[] {
  const cluster = CLUSTERS[network];
  if (cluster === null || !isName(signature)) return [];
  return [
    { name: "Solana Explorer", address: `${EXPLORER}/tx/${signature}${cluster}` },
    { name: "Solscan", address: `https://solscan.io/tx/${signature}${cluster}` },
  ];
}

function isName(name: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(name);
}
