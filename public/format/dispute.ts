import type { Network } from "../../generator/contract/networks.ts";
import { toWebAddress } from "./url.ts";

interface Accusation {
  network: Network;
  votePubkey: string;
  /** The id of the event; null: all that is said of the validator. */
  event: string | null;
}

/** By RUGWATCH_REPOSITORY_URL when the site was built; null: the site knows no repository. */
const REPOSITORY: string | null =
  (import.meta as { env?: Partial<Record<string, string>> }).env?.["RUGWATCH_REPOSITORY_URL"] ?? null;

/** The form of `.github/ISSUE_TEMPLATE/wrong-accusation.yml`, filled in as far as is known; null: there is nowhere to go. */
export function toDisputeAddress({ network, votePubkey, event }: Accusation, repository = REPOSITORY): string | null {
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
