import type { Network } from "../../../generator/contract/networks.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { toCount } from "../../format/values.ts";
import { toDayText } from "../../parts/zone.ts";

interface RulingProps {
  id: string;
  network: Network;
  /** Names the event where it does not stand beside it. */
  of?: string;
}

/** What an operator answered about an event, in the operator's words; nothing if none did. */
export function Ruling({ id, network, of = "" }: RulingProps) {
  const rulings = useDocument(documents.status(network)).held?.document.data.rulings ?? [];
  const ruling = findRuling(rulings, id);
  if (ruling === null) return null;
  return (
    <p class="ruling">
      {of}{" "}
      <strong>
        {ruling.verdict === "accept" ? "Checked again, and it stands." : "Taken back."}
      </strong>{" "}
      <bdi>{ruling.reason}</bdi> <span class="quiet date">{toDayText(ruling.ruledAt)}</span>
    </p>
  );
}

/** The status has the newest rulings alone. */
export function RulingsLeftOut({ network }: { network: Network }) {
  const status = useDocument(documents.status(network)).held?.document.data;
  if (status === undefined || status.rulingsTotal <= status.rulings.length) return null;
  return (
    <p class="note">
      We show only the newest {toCount(status.rulings.length)} of {toCount(status.rulingsTotal)}{" "}
      rulings: an older one on these changes may be missing.
    </p>
  );
}

/** null: nobody ruled on the event, or 100 newer rulings have taken its place. */
export function findRuling(
  rulings: Status["rulings"],
  event: string,
): Status["rulings"][number] | null {
  return rulings.find(({ of, subject }) => of === "event" && subject === event) ?? null;
}
