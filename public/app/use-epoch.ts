import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "../api/documents.ts";
import { useDocument, type Reading } from "../api/use-document.ts";
import { tellsTime, toReadAt } from "../format/epochs.ts";
import { apiNow, readerTime, setApiTime } from "./clock.ts";

/** As often as the API reads the cluster. */
const EPOCH_MILLISECONDS = 30_000;

/**
 * The running epoch, read again while it is shown. It tells the site's clock the time as well. Where it cannot, because it is
 * not measured, cannot be read, or the cluster has not answered for longer than the epoch lasts, the reader's clock does.
 */
export function useEpoch(network: Network): Reading<{ data: Epoch }> {
  const reading = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const { held, problem } = reading;
  useEffect(() => {
    // What is shown on while it cannot be read anew has told the time already.
    if ((held === null) === (problem === null)) return;
    const epoch = held?.document.data;
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (epoch !== undefined && readAt !== null) setApiTime(tellsTime(epoch) ? readAt : Math.max(readAt, readerTime()));
    else if (apiNow.peek() === null) setApiTime(readerTime());
  }, [held, problem]);
  return reading;
}
