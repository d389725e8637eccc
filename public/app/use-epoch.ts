import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "../api/documents.ts";
import { useDocument, type Reading } from "../api/use-document.ts";
import { tellsTime, toReadAt } from "../format/epochs.ts";
import { readerTime, setApiTime } from "./clock.ts";

/** As often as the API reads the cluster. */
const EPOCH_MILLISECONDS = 30_000;

/**
 * The running epoch, read again while it is shown. It tells the site's clock the time as well. Where it cannot, because the
 * cluster has not answered for longer than the epoch lasts, the reader's clock does: better than ages that stand still.
 */
export function useEpoch(network: Network): Reading<{ data: Epoch }> {
  const reading = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const epoch = reading.held?.document.data;
  useEffect(() => {
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (epoch === undefined || readAt === null) return;
    setApiTime(tellsTime(epoch) ? readAt : Math.max(readAt, readerTime()));
  }, [epoch]);
  return reading;
}
