import type { Network } from "../../generator/contract/networks.ts";
import { toWebAddress } from "./url.ts";

export interface AccusedEvent {
  id: string;
  /** null: the address that leads here lacks it. */
  epoch: number | null;
}

interface Accusation {
  network: Network;
  /** null: of any validator. */
  votePubkey: string | null;
  /** null: everything about the validator. */
  event: AccusedEvent | null;
}

const BUILT_WITH: Partial<Record<string, string>> =
  (import.meta as { env?: Partial<Record<string, string>> }).env ?? {};

/** Where the operator of a validator answers (vite-contact.config.ts). */
const ANSWERS = {
  repository: BUILT_WITH["RUGWATCH_REPOSITORY_URL"] ?? null,
  contact: BUILT_WITH["RUGWATCH_CONTACT"] ?? null,
};

/**
 * Fills in `.github/ISSUE_TEMPLATE/wrong-accusation.yml` or, without a repository, a mail. null:
 * the site names neither.
 */
export function toDisputeAddress(
  { network, votePubkey, event }: Accusation,
  { repository, contact }: { repository: string | null; contact: string | null } = ANSWERS,
): string | null {
  const base = toWebAddress(repository, ["https:"]);
  const of = event === null ? votePubkey : toEventText(event);
  const title = of === null ? "Wrong accusation" : `Wrong accusation: ${of}`;
  if (base !== null) {
    const query = new URLSearchParams({
      template: "wrong-accusation.yml",
      title,
      network,
      ...(event !== null && { event: event.id }),
      ...(votePubkey !== null && { "vote-account": votePubkey }),
    });
    return `${base.replace(/\/+$/, "")}/issues/new?${query.toString()}`;
  }
  const address = toWebAddress(contact, ["https:", "mailto:"]);
  if (address?.startsWith("mailto:") !== true) return address;
  const body = [
    `network: ${network}`,
    `vote account: ${votePubkey ?? ""}`,
    event === null ? "what is wrong: " : `event: ${toEventText(event)}`,
    "transaction, or what else shows it: ",
  ];
  // Mail programs show the plus signs of URLSearchParams.
  const fill = Object.entries({ subject: title, body: body.join("\r\n") });
  return `${address}?${fill.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&")}`;
}

/** "807f88f02fdd15df2afe918b, epoch 1071" */
export function toEventText({ id, epoch }: AccusedEvent): string {
  return epoch === null ? id : `${id}, epoch ${epoch}`;
}
