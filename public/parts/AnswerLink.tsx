import type { CommissionEvent } from "../../generator/contract/event.ts";
import { toAddress } from "../format/url.ts";
import { useUrl } from "./use-url.ts";

interface AnswerLinkProps {
  /** null: of any validator. */
  votePubkey: string | null;
  /** null: everything about the validator. */
  event: Pick<CommissionEvent, "id" | "epoch"> | null;
  children: string;
}

/** Leads whoever is accused to the page that says how to answer. */
export function AnswerLink({ votePubkey, event, children }: AnswerLinkProps) {
  const { network } = useUrl();
  const named = event === null ? {} : { event: event.id, epoch: event.epoch };
  return <a href={toAddress("/accused", { votePubkey, ...named, network })}>{children}</a>;
}
