import type { CLIENT_TYPES } from "./validator.ts";

interface Client {
  /** The number that nodes announce in gossip. */
  id: number;
  name: string;
  /** The family of clients; `unknown`: none of the three. */
  family: (typeof CLIENT_TYPES)[number];
}

/** The name in documents of a client that is not registered. */
export const UNKNOWN_CLIENT = "Unknown";

/**
 * Registered clients, from solana-foundation/solana-validator-client-ids. A fork is of the family
 * that it derives from.
 */
export const CLIENTS = [
  { id: 0, name: "Solana Labs", family: "agave" },
  { id: 1, name: "Jito Labs", family: "agave" },
  { id: 2, name: "Frankendancer", family: "frankendancer" },
  { id: 3, name: "Agave", family: "agave" },
  { id: 4, name: "Agave Paladin", family: "agave" },
  { id: 5, name: "Firedancer", family: "firedancer" },
  { id: 6, name: "Agave Bam", family: "agave" },
  { id: 7, name: "Sig", family: "unknown" },
  { id: 8, name: "Rakurai", family: "agave" },
  { id: 9, name: "HarmonicFiredancer", family: "firedancer" },
  { id: 10, name: "HarmonicAgave", family: "agave" },
  { id: 11, name: "HarmonicFrankendancer", family: "frankendancer" },
  { id: 12, name: "FireBAM", family: "frankendancer" },
  { id: 13, name: "Raiku", family: "agave" },
] as const satisfies readonly Client[];
