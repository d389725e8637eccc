import { toApiAddress } from "../../generator/contract/addresses.ts";
import type { LambdaEvent } from "./lambda-handler.ts";

/**
 * The event as if the API had been asked, where it asks for the key of a document. CloudFront's edge turns addresses into keys
 * of the bucket (infra/edge/), and what it made stays when the bucket has no such object and this function is asked instead:
 * then the answer must be that of the address, be it a 404 in the API's words or an empty list. The network is the key's, and
 * no other parameter counts. Whoever gets here without the edge only finds a document under its second name.
 */
export function withApiAddress(event: LambdaEvent): LambdaEvent {
  const address = toApiAddress(event.rawPath.slice(1));
  if (address === null) return event;
  return { ...event, rawPath: address.path, rawQueryString: `network=${address.network}` };
}
