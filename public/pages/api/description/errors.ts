import type { Description } from "./description.ts";
import { asRecord, asText } from "./references.ts";

/** One error that the API can answer. */
export interface ErrorCode {
  status: number;
  code: string;
  /** What its status means. */
  meaning: string;
  /** A message it may come with. */
  message: string;
}

/** Every error code of the description once, by status and then in the order of the document. */
export function toErrorCodes({ tags }: Description): ErrorCode[] {
  const codes = new Map<string, ErrorCode>();
  for (const { status, description: meaning, examples } of answersOf(tags))
    for (const { name: code, value } of status >= 400 ? examples : [])
      if (!codes.has(code)) codes.set(code, { status, code, meaning, message: toMessage(value) });
  return [...codes.values()].sort((a, b) => a.status - b.status);
}

function answersOf(tags: Description["tags"]) {
  return tags.flatMap(({ operations }) => operations.flatMap(({ answers }) => answers));
}

function toMessage(body: unknown): string {
  return asText(asRecord(asRecord(body)["error"])["message"]);
}
