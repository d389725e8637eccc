import { toAddress } from "../../format/url.ts";
import { useUrl } from "../../parts/use-url.ts";

/** Of no wallet and no validator in particular. */
export function MoveStake() {
  const { network } = useUrl();
  return (
    <details class="figures">
      <summary>How to move stake</summary>
      <ol class="move-stake">
        <li>
          Deactivate the stake account in your wallet, in the app where you staked, or with{" "}
          <code class="breakable">solana deactivate-stake STAKE_ACCOUNT</code>. It earns, and pays
          commission, until this epoch ends.
        </li>
        <li>
          In the next epoch, delegate it to another validator, or withdraw it:{" "}
          <code class="breakable">solana delegate-stake STAKE_ACCOUNT VOTE_ACCOUNT</code>.
        </li>
        <li>
          It earns again from the epoch after that. So a move costs the rewards of one epoch:
          compare that with what you lose by staying.
        </li>
      </ol>
      <p>
        We recommend nobody.{" "}
        <a href={toAddress("/validators", { verdict: "good", network })}>
          Validators with a good verdict
        </a>{" "}
        are a start. Only your wallet can move stake: no site needs your seed phrase.
      </p>
    </details>
  );
}
