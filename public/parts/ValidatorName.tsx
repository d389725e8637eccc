import type { Network } from "../../generator/contract/networks.ts";
import { toValidatorAddress } from "../app/url.ts";
import { ValidatorIcon } from "./ValidatorIcon.tsx";

interface ValidatorNameProps {
  network: Network;
  votePubkey: string;
  name: string | null;
  /** undefined: no place for an icon. */
  iconUrl?: string | null;
}

/** A validator by name, or by the ends of its key where it has none; leads to its page. */
export function ValidatorName({ network, votePubkey, name, iconUrl }: ValidatorNameProps) {
  return (
    <a class="validator-name" href={toValidatorAddress(votePubkey, network)} title={votePubkey}>
      {iconUrl !== undefined && <ValidatorIcon iconUrl={iconUrl} votePubkey={votePubkey} />}
      {/* The name is a stranger's text: isolated, lest its direction turns the line around. */}
      {name === null ? <span class="key">{toShortKey(votePubkey)}</span> : <bdi class="name">{name}</bdi>}
    </a>
  );
}

/** The ends of a key, by which people know it. */
export function toShortKey(key: string): string {
  return `${key.slice(0, 5)}…${key.slice(-5)}`;
}
