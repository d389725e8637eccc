import type { Network } from "../../generator/contract/networks.ts";

/** The networks of the switch. Not the contract's own list, which would bring its parser along. */
export const NETWORKS = ["mainnet", "testnet", "alpenglow"] as const satisfies readonly Network[];
/** The one that addresses leave out. */
export const DEFAULT_NETWORK: Network = "mainnet";

/** The parameters of an address as the router gives them. */
export type Query = Readonly<Record<string, string>>;

/** The network that an address names; one that it does not know is the default. */
export function readNetwork(query: Query): Network {
  return readChoice(query["network"], NETWORKS, DEFAULT_NETWORK);
}

/** One of several words; any other text is `otherwise`: addresses are typed, cut and passed on by people. */
export function readChoice<const Choice extends string, Otherwise>(
  text: string | undefined,
  choices: readonly Choice[],
  otherwise: Otherwise,
): Choice | Otherwise {
  return choices.find((choice) => choice === text) ?? otherwise;
}

/** A whole number from `min` to `max`; anything else is `otherwise`. */
export function readWhole(
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return otherwise;
  const value = Number(text);
  return value >= min && value <= max ? value : otherwise;
}

/** The path and query of a page. A parameter that is null is left out, and so is the default network. */
export function toAddress(path: string, parameters: Readonly<Record<string, string | number | null>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && !(name === "network" && value === DEFAULT_NETWORK)) query.set(name, String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The page of one validator. */
export function toValidatorAddress(votePubkey: string, network: Network): string {
  return toAddress(`/validators/${encodeURIComponent(votePubkey)}`, { network });
}

/**
 * An address from the chain that a link or an image may have; null: none. The generator has checked it already. It is
 * checked again here, where a `javascript:` would do its harm.
 */
export function toWebAddress(text: string | null, schemes: readonly string[] = ["https:", "http:"]): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, href, username, password } = new URL(text);
  return schemes.includes(protocol) && username === "" && password === "" ? href : null;
}

/** The only host that pages lead to for what the chain itself says. A link needs nothing of the Content-Security-Policy. */
const EXPLORER = "https://explorer.solana.com";

/** What a network is called there. alpenglow is not to be found there. */
const CLUSTERS = { mainnet: "", testnet: "?cluster=testnet", alpenglow: null } as const satisfies Record<
  Network,
  string | null
>;

/** A transaction by its signature, or an account by its key, in the explorer; null: it cannot be looked up there. */
export function toExplorerAddress(kind: "tx" | "address", name: string, network: Network): string | null {
  const cluster = CLUSTERS[network];
  if (cluster === null || !/^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(name)) return null;
  return `${EXPLORER}/${kind}/${name}${cluster}`;
}
