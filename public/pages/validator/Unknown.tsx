import type { Network } from "../../../generator/contract/networks.ts";
import { NETWORKS, toAddress, toValidatorAddress } from "../../app/url.ts";
import type { Refusal } from "./refusal.ts";

interface UnknownProps {
  refusal: Refusal;
  network: Network;
  votePubkey: string;
}

/** In place of the page. */
export function Unknown({ refusal, network, votePubkey }: UnknownProps) {
  const key = <code class="breakable">{votePubkey}</code>;
  return (
    <section class="notice" aria-labelledby="unknown-validator">
      <h1 id="unknown-validator">
        {refusal === "malformed" ? "This is no vote account" : `No such validator on ${network}`}
      </h1>
      {refusal === "malformed" ? (
        <p>
          {key} is not the key of an account: that is 32 to 44 letters and digits in Base58, which has no 0, O, I and l.
          It may have been cut when it was copied.
        </p>
      ) : (
        <p>
          The vote account {key} was never seen on {network}. A validator is named by its vote account, not by its
          identity; and each network has its own.
        </p>
      )}
      <ul class="notice-links">
        {refusal === "unknown" &&
          NETWORKS.filter((name) => name !== network).map((name) => (
            <li key={name}>
              <a href={toValidatorAddress(votePubkey, name)}>Look for it on {name}</a>
            </li>
          ))}
        <li>
          <a href={toAddress("/validators", { network })}>All validators of {network}</a>
        </li>
      </ul>
    </section>
  );
}
