import { z } from "zod";
import { FORMS } from "./forms.ts";
import { networkSchema, type Network } from "./networks.ts";
import { toObjectKey } from "./object-keys.ts";
import { OBJECTS, type ObjectKind, type ObjectReference } from "./objects.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Decodes each byte to one character. */
const byteDecoder = new TextDecoder("latin1");

/**
 * Decodes the body of an object as its schema takes it: parsed JSON, text, or for bytes one
 * character each.
 * @throws {Error} when it is not UTF-8, or not JSON
 */
export function toContent(kind: ObjectKind, body: Uint8Array): unknown {
  const { holds } = FORMS[OBJECTS[kind].form];
  if (holds === "bytes") return byteDecoder.decode(body);
  const text = decoder.decode(body);
  return holds === "json" ? (JSON.parse(text) as unknown) : text;
}

/**
 * Checks that a body is a whole object of its kind, network and names.
 * @throws {Error} for another shape, a cut object, or another network or name
 */
export function assertObject(
  network: Network,
  { kind, names }: ObjectReference,
  body: Uint8Array,
): void {
  const schema: z.ZodType = OBJECTS[kind].schema;
  const content = schema.parse(toContent(kind, body));
  const key = toObjectKey(network, kind, names);
  if (!isNamedIn(content, { network, key })) throw new Error(`it is not ${key}`);
}

const envelopeSchema = z.object({
  data: z.union([z.array(z.unknown()), z.looseObject({ votePubkey: z.string().optional() })]),
  meta: z.object({
    network: networkSchema,
    votePubkey: z.string().optional(),
    epoch: z.number().optional(),
    segment: z.number().optional(),
    shard: z.string().optional(),
  }),
});

/** A line of columns, and a line end as the last. */
const WHOLE_CSV = /^\w+(?:,\w+)*\r\n(?:[^]*\r\n)?$/;

/**
 * Checks that the proxy can serve a body. Of a document it checks only the envelope, of a CSV file
 * only that it is whole, because a newer generator may publish values and columns that this proxy
 * does not know, and an older one lacks some.
 * @throws {Error} for a cut object, for another network, validator or epoch, and for a page of a
 * host that answers any path
 */
export function assertServable(
  network: Network,
  reference: ObjectReference,
  body: Uint8Array,
): void {
  const { form } = OBJECTS[reference.kind];
  if (form === "csv") {
    if (!WHOLE_CSV.test(decoder.decode(body))) throw new Error("it is no whole CSV file");
    return;
  }
  if (form !== "document") {
    assertObject(network, reference, body);
    return;
  }
  const names: {
    votePubkey?: string;
    epoch?: number;
    segment?: number;
    feed?: string;
    shard?: string;
    month?: string;
  } = reference.names;
  const { data, meta } = envelopeSchema.parse(toContent(reference.kind, body));
  const votePubkey = meta.votePubkey ?? (Array.isArray(data) ? undefined : data.votePubkey);
  const actual = `${meta.network} ${votePubkey} ${meta.epoch} ${meta.segment} ${meta.shard}`;
  const expected = `${network} ${names.votePubkey} ${names.epoch} ${names.segment} ${names.shard}`;
  if (actual !== expected) throw new Error(`it is of ${actual}, not of ${expected}`);
}

/** A document names its network, a feed its own address. A CSV export has only its columns. */
function isNamedIn(content: unknown, { network, key }: { network: Network; key: string }): boolean {
  if (key.startsWith(`${FORMS.csv.folder}/`)) return true;
  if (typeof content === "string") return content.includes(`/${key}"`);
  const { meta, network: own, feed_url: address } = content as SelfNaming;
  return address === undefined ? (meta?.network ?? own) === network : address.endsWith(`/${key}`);
}

interface SelfNaming {
  meta?: { network: Network };
  network?: Network;
  feed_url?: string;
}
