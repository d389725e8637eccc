import { z } from "zod";
import { networkSchema, type Network } from "../../generator/contract/networks.ts";
import { assertObject } from "../../generator/contract/object-content.ts";
import { OBJECTS, type ObjectKind, type ObjectNames, type ObjectReference } from "../../generator/contract/objects.ts";
import { dataUnreadable } from "../http/api-error.ts";

/** All that can name an object. */
export type EveryName = ObjectNames["votePubkey"] & ObjectNames["epoch"] & ObjectNames["feed"];

/** Which object of the store is meant. */
export interface Wanted {
  network: Network;
  kind: ObjectKind;
  names: Partial<EveryName>;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * What says that bytes are a document of ours, and which. No more of it is checked: it is passed through, and a generator
 * newer than this proxy may publish values that are not known here.
 */
const envelopeSchema = z.object({
  data: z.union([z.array(z.unknown()), z.looseObject({ votePubkey: z.string().optional() })]),
  meta: z.object({ network: networkSchema, votePubkey: z.string().optional(), epoch: z.number().optional() }),
});

/**
 * A host that answers any path with a page of its own, a cut body, a store of another network: what they give is not held,
 * and what was held stays. @throws {ApiError} `upstream_unavailable`
 */
export function assertDocument(body: Uint8Array, { network, kind, names }: Wanted): void {
  const { votePubkey, epoch } = names;
  try {
    if (OBJECTS[kind].form !== "document") {
      assertObject(network, { kind, names } as ObjectReference, body);
      return;
    }
    const { data, meta } = envelopeSchema.parse(JSON.parse(decoder.decode(body)));
    const said = { network: meta.network, votePubkey: meta.votePubkey ?? toVotePubkey(data), epoch: meta.epoch };
    if (said.network !== network) throw new Error(`it is of the network ${said.network}, not of ${network}`);
    if (said.votePubkey !== votePubkey)
      throw new Error(`it is of the vote account ${said.votePubkey}, not of ${votePubkey}`);
    if (said.epoch !== epoch) throw new Error(`it is of the epoch ${said.epoch}, not of ${epoch}`);
  } catch (error) {
    throw dataUnreadable(error);
  }
}

function toVotePubkey(data: z.infer<typeof envelopeSchema>["data"]): string | undefined {
  return Array.isArray(data) ? undefined : data.votePubkey;
}
