import { toAddress } from "../format/url.ts";
import { useUrl } from "./use-url.ts";

interface AnswerLinkProps {
  /** null: of any validator. */
  votePubkey: string | null;
  /** null: everything about the validator. */
  event: string | null;
  children: string;
}

/** Leads whoever is accused to the page that says how to answer. */
export function AnswerLink({ votePubkey, event, children }: AnswerLinkProps) {
  const { network } = useUrl();
  return <a href={toAddress("/accused", { votePubkey, event, network })}>{children}</a>;
}
