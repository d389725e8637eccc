import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "../api/documents.ts";
import { useDocument } from "../api/use-document.ts";
import { apiNow } from "../app/clock.ts";
import { toAddress } from "../app/url.ts";
import { toVerdict } from "../format/freshness.ts";

const STATUS_MILLISECONDS = 60_000;

/**
 * Says that a network is not observed any more: an API that answers well may tell of hours ago, and no change since is shown.
 * Nothing while changes are seen as they should be, and where nothing is published.
 */
export function OldData({ network }: { network: Network }) {
  const status = useDocument(documents.status(network), { everyMilliseconds: STATUS_MILLISECONDS }).held?.document.data;
  const now = apiNow.value;
  if (status === undefined || status.snapshotAt === null || now === null) return null;
  const { state, sentence } = toVerdict(status, now);
  if (state !== "failed") return null;
  return (
    <p class="stale" role="status">
      <strong>Not up to date.</strong> {sentence} <a href={toAddress("/status", { network })}>See the status</a>
    </p>
  );
}
