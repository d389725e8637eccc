import type { Network } from "../../generator/contract/networks.ts";
import { toWebAddress } from "./url.ts";

interface Accusation {
  network: Network;
  votePubkey: string;
  /** null: everything about the validator. */
  event: string | null;
}

const REPOSITORY: string | null =
  (import.meta as { env?: Partial<Record<string, string>> }).env?.["RUGWATCH_REPOSITORY_URL"] ??
  null;

/** Fills in `.github/ISSUE_TEMPLATE/wrong-accusation.yml`. */
export function toDisputeAddress(
  { network, votePubkey, event }: Accusation,
  repository = REPOSITORY,
): string | null {
  const base = toWebAddress(repository, ["https:"]);
  if (base === null) return null;
  const query = new URLSearchParams({
    template: "wrong-accusation.yml",
    title: `Wrong accusation: ${event ?? votePubkey}`,
    network,
    ...(event !== null && { event }),
    "vote-account": votePubkey,
  });
  return `${base.replace(/\/+$/, "")}/issues/new?${query.toString()}`;
}
