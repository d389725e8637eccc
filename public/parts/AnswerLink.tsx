import { type Accusation, toDisputeAddress } from "../format/dispute.ts";
import { useUrl } from "./use-url.ts";

/** A link for whoever is accused. */
export function AnswerLink({
  votePubkey,
  event,
  children,
}: Omit<Accusation, "network"> & { children: string }) {
  const { network } = useUrl();
  const address = toDisputeAddress({ network, votePubkey, event });
  if (address === null) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {children}
      <span class="visually-hidden"> (new page)</span>
    </a>
  );
}
