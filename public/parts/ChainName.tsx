import type { Network } from "../../generator/contract/networks.ts";
import { toExplorerAddress } from "../format/explorer.ts";
import { CopyButton } from "./CopyButton.tsx";
import { toShortKey } from "./ValidatorName.tsx";

interface ChainNameProps {
  kind: "tx" | "address";
  /** A signature or a key, Base58. */
  name: string;
  network: Network;
  /** What it is, for who copies it: "the signature". */
  what: string;
}

/** A transaction or an account by the ends of its name, to be looked up in a public explorer where it is known, and copied. */
export function ChainName({ kind, name, network, what }: ChainNameProps) {
  const address = toExplorerAddress(kind, name, network);
  const short = <span class="key">{toShortKey(name)}</span>;
  return (
    <span class="chain-name">
      {address === null ? (
        <span title={name}>{short}</span>
      ) : (
        <a href={address} target="_blank" rel="noreferrer" title={name}>
          {short}
          <span class="visually-hidden"> in the explorer, a new page</span>
        </a>
      )}{" "}
      <CopyButton text={name} what={what} />
    </span>
  );
}
