import { OBJECTS } from "../../generator/contract/objects.ts";
import type {
  DocumentOf,
  NamesOf,
  ObjectKind,
  ObjectReference,
} from "../../generator/contract/objects.ts";
import { toContent } from "../../generator/contract/object-content.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";

/** Renders an object and parses it by its schema; null: none. */
export function documentOf<Kind extends ObjectKind>(
  ledger: Ledger,
  kind: Kind,
  names: NamesOf<Kind>,
) {
  const bytes = createRenderer(ledger).render({ kind, names } as ObjectReference);
  return bytes && (readDocument(kind, bytes) as DocumentOf<Kind>);
}

export function read<Kind extends ObjectKind>(
  ledger: Ledger,
  kind: Kind,
  names: NamesOf<Kind>,
): DocumentOf<Kind> {
  const document = documentOf(ledger, kind, names);
  if (document === null) throw new Error(`${kind} is not rendered`);
  return document;
}

/** Parses an object's bytes; throws on a missing or extra field. */
export function readDocument(kind: ObjectReference["kind"], bytes: Uint8Array): unknown {
  const content = toContent(kind, bytes);
  const parsed = OBJECTS[kind].schema.parse(content);
  const text = typeof content === "string" ? content : new TextDecoder().decode(bytes);
  if (parsed === text || JSON.stringify(parsed) === text) return parsed;
  throw new Error(
    `${kind} has fields, or an order of fields, that its schema has not: ${text.slice(0, 500)}`,
  );
}
