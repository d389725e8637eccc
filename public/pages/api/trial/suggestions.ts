import type { Network } from "../../../../generator/contract/networks.ts";
import { documents } from "../../../api/documents.ts";
import { useDocument } from "../../../api/use-document.ts";
import type { Operation } from "../description/description.ts";

/** A value that the network has, for who knows none. */
export interface Suggestion {
  /** Of the button that fills it in. */
  name: string;
  value: string;
}

/**
 * Values for an operation's parameters by their names. The examples of the description are of a made-up network, so they would
 * find nothing here.
 */
export function useSuggestions(
  { parameters }: Operation,
  network: Network,
): { votePubkey?: Suggestion; epoch?: Suggestion; [name: string]: Suggestion | undefined } {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  const validators = useDocument(takes("votePubkey") ? documents.validators(network, { limit: 1 }) : null);
  const rugs = useDocument(takes("epoch") ? documents.rugsPerEpoch(network, { epochs: 2 }) : null);
  const votePubkey = validators.held?.document.data[0]?.votePubkey;
  // The last but one: exports are of closed epochs only.
  const epoch = rugs.held?.document.data[0]?.epoch;
  return {
    ...(votePubkey !== undefined && { votePubkey: { name: "Take the largest validator", value: votePubkey } }),
    ...(epoch !== undefined && { epoch: { name: `Take epoch ${epoch}`, value: String(epoch) } }),
  };
}
