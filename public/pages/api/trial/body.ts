/** A body as far as it is shown. */
export interface Body {
  /** Pretty where it is whole and JSON, else as it came; null: no text. */
  text: string | null;
  /** Bytes that were read, after decompression. */
  bytes: number;
  /** Whether that is all of it. */
  isWhole: boolean;
}

/** More than the longest list; a page with a larger text in it is slow to scroll. */
const BYTES_MAX = 1_000_000;
/** Media types that are text to be read. */
const TEXT = /^text\/|[/+](?:json|xml)\b/;

/** Reads a body to the end or to a million bytes, whichever comes first. */
export async function readBody(response: Response, bytesMax = BYTES_MAX): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isWhole = true;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    if (bytes <= bytesMax) continue;
    isWhole = false;
    await reader?.cancel();
    break;
  }
  const type = response.headers.get("content-type") ?? "";
  if (!TEXT.test(type)) return { text: bytes === 0 ? "" : null, bytes, isWhole };
  // A character that is cut at the end becomes a sign that says so.
  const text = new TextDecoder().decode(concatenate(chunks, bytes));
  return { text: isWhole && type.includes("json") ? toPretty(text) : text, bytes, isWhole };
}

/** The first lines of a text, and how many follow. */
export function fold(text: string, linesMax: number): { shown: string; more: number } {
  const lines = text.split("\n");
  return { shown: lines.slice(0, linesMax).join("\n"), more: Math.max(0, lines.length - linesMax) };
}

/** JSON with a field a line. Documents have no numbers that do not fit into ours: lamports are texts. */
function toPretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // No JSON after all: shown as it came.
    return text;
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
