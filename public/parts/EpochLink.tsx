import { toAddress } from "../format/url.ts";
import { useUrl } from "./use-url.ts";

/** An epoch's number, which leads to its row in the list of epochs. */
export function EpochLink({ epoch }: { epoch: number }) {
  const { network } = useUrl();
  return <a href={toAddress("/epochs", { network, epoch })}>{epoch}</a>;
}
