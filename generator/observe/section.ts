import { LocationError } from "./mmdb.ts";
import { RpcError } from "../rpc/error.ts";
import { RAW_TEXT_MAX } from "../entries/entry.ts";

/** A part of a snapshot whose source may fail without failing the snapshot. */
export type Section<T> = { state: "ok"; value: T } | { state: "failed"; reason: string };

/** `off`: not configured; else not due. */
type SkippedSection = { state: "skipped"; off: boolean };

/** The section of a source that this snapshot need not read. */
export const NOT_DUE: SkippedSection = { state: "skipped", off: false };

/** The section of a source that the settings turn off. */
export const NOT_CONFIGURED: SkippedSection = { state: "skipped", off: true };

/** Catches failures of the source, not bugs of ours. */
export async function toSection<T>(read: () => T | Promise<T>): Promise<Section<T>> {
  try {
    return { state: "ok", value: await read() };
  } catch (error) {
    if (error instanceof RpcError || error instanceof LocationError)
      return { state: "failed", reason: toRawText(error.message) };
    throw error;
  }
}

/** UTF-8 cannot encode a lone surrogate. */
export function toRawText(text: string): string {
  return text.slice(0, RAW_TEXT_MAX).toWellFormed();
}

/** null: no text. The text is not cleaned for display. */
export function toRawTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? toRawText(value) : null;
}
