import { useState } from "preact/hooks";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { read } from "../api/client.ts";
import { documents } from "../api/documents.ts";
import type { Finding } from "../format/signature.ts";
import { toCounted, toPercent, toShortKey } from "../format/values.ts";
import { useUrl } from "./use-url.ts";

type Outcome = Finding | { kind: "waiting" } | { kind: "failed" } | { kind: "unpublished" };

interface SignatureCheckProps {
  event: Pick<CommissionEvent, "votePubkey">;
  /** Of the transaction, Base58. */
  signature: string;
}

/** Verifies in the reader's browser, so that they need not believe this site's word. */
export function SignatureCheck({ event: { votePubkey }, signature }: SignatureCheckProps) {
  const { network } = useUrl();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const check = async () => {
    setOutcome({ kind: "waiting" });
    setOutcome(await findOut({ network, votePubkey, signature }));
  };
  return (
    <div class="signature-check">
      <button
        type="button"
        class="button"
        disabled={outcome?.kind === "waiting"}
        onClick={() => void check().catch(() => setOutcome({ kind: "failed" }))}
      >
        Verify the signature in this browser
      </button>
      <p role="status" class={outcome === null ? undefined : `signature-${outcome.kind}`}>
        {outcome !== null && toText(outcome)}
      </p>
    </div>
  );
}

async function findOut({
  network,
  votePubkey,
  signature,
}: {
  network: Network;
  votePubkey: string;
  signature: string;
}): Promise<Outcome> {
  const address = documents.validatorTransactions(network, votePubkey);
  const answer = await read(address, { isFresh: false }).answer;
  if (!("held" in answer)) return { kind: "failed" };
  const raw = answer.held.document.data.find((each) => each.signature === signature);
  if (raw === undefined) return { kind: "unpublished" };
  const { checkSignature } = await import("../format/signature.ts");
  return checkSignature(raw, votePubkey);
}

function toText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "waiting":
      return "Reading the transaction…";
    case "valid": {
      const set = outcome.commissions.map(toPercent).join(", then ");
      return `✓ Valid. ${toShortKey(outcome.signer)} signed these ${toCounted(outcome.bytes, "byte")}, and they set the commission to ${set}.`;
    }
    case "refused":
      return `✗ Not valid. ${outcome.why}`;
    case "unsupported":
      return "This browser cannot verify ed25519 here. Use a newer one, over HTTPS, or one of the commands below.";
    case "unpublished":
      return "We publish only the newest transactions of a validator as bytes, and this one is older. Use one of the commands below.";
    case "failed":
      return "The transaction did not load. Try again.";
  }
}
