type RawJson = object;

/** Node 24 has it; TypeScript's library does not yet. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => RawJson }).rawJSON;

/** Nodes write u64 as numbers, even above 2^53. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? rawJson(String(member)) : member,
  );
}

/** A JSON-RPC answer. */
export function toReply(id: string | number | null, result: unknown): string {
  return toJson(replyOf(id, result));
}

/** The same, before it is written. */
export function replyOf(id: string | number | null, result: unknown): object {
  return { jsonrpc: "2.0", result, id };
}

/** JSON that is too large to be one text. */
export class JsonPieces {
  readonly pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }

  /** @param wrap what is around them, given what stands for them */
  within(wrap: (place: string) => unknown): JsonPieces {
    const [before = "", after = ""] = toJson(wrap(PLACE)).split(toJson(PLACE));
    return new JsonPieces([Buffer.from(before), ...this.pieces, Buffer.from(after)]);
  }
}

const PLACE = "what takes their place";
