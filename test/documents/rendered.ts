import { OBJECTS, toObjectKey, type ObjectReference } from "../../generator/contract/objects.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";

/** Answers the objects of one state of a ledger by key, each byte as a character; those there are not are left out. */
export type RenderAgain = (references: readonly ObjectReference[]) => [key: string, text: string][];

/**
 * Renders each object once, however often it is asked for: a story has thousands. But for Parquet: it is named wherever the
 * CSV of the same table is, and holds the same (exports.test.ts).
 */
export function createRenderAgain(ledger: Ledger): RenderAgain {
  const { render } = createRenderer(ledger);
  const rendered = new Map<string, string | null>();
  return (references) =>
    references.filter(isNoParquet).flatMap((reference) => {
      const key = toObjectKey(ledger.network, reference.kind, reference.names);
      const text = rendered.get(key) ?? toText(render(reference));
      rendered.set(key, text);
      return text === null ? [] : [[key, text]];
    });
}

export function isNoParquet({ kind }: ObjectReference): boolean {
  return OBJECTS[kind].form !== "parquet";
}

function toText(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString("latin1");
}
