import { OBJECTS, type DocumentOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { dataUnreadable } from "../http/api-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The document in the bytes of an object. It is checked by the schema of its kind, but handed back as it was written: a
 * generator newer than this proxy may publish more fields, and they must reach the client. What does not fit throws an
 * `upstream_unavailable`: the bucket holds something that only another run of the generator can mend.
 */
export function parseDocument<Kind extends ObjectKind>(kind: Kind, body: Uint8Array): DocumentOf<Kind> {
  try {
    const document: unknown = JSON.parse(decoder.decode(body));
    OBJECTS[kind].schema.parse(document);
    return document as DocumentOf<Kind>;
  } catch (error) {
    throw dataUnreadable(error);
  }
}
