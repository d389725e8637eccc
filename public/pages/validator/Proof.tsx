import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { toCount } from "../../format/amounts.ts";
import { toProofText, toStepsText } from "../../format/proof.ts";
import { toUtc } from "../../format/times.ts";
import { ChainName } from "../../parts/ChainName.tsx";
import { Fact } from "./Fact.tsx";

/** The transaction behind a change, as facts; nothing of a MEV commission, which is changed by none that would be looked for. */
export function Proof({ event, network }: { event: CommissionEvent; network: Network }) {
  const { source, transaction, fromCommission } = event;
  if (source === "MEV") return null;
  if (transaction === null) return <Fact name="Transaction">not found yet</Fact>;
  const { signature, slot, blockTime, signer, verified, steps } = transaction;
  return (
    <>
      <Fact name="Transaction">
        <ChainName kind="tx" name={signature} network={network} what="the signature" />
        <br />
        {blockTime !== null && <time dateTime={blockTime}>{toUtc(blockTime)}, </time>}slot {toCount(slot)}
      </Fact>
      <Fact name="Signed by">
        <ChainName kind="address" name={signer} network={network} what="the signer" />
      </Fact>
      <Fact name="Proof">{toProofText(verified)}</Fact>
      {steps.length > 1 && <Fact name={`${steps.length} steps`}>{toStepsText(fromCommission, steps)}</Fact>}
    </>
  );
}
