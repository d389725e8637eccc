import { toPlainLine } from "../contract/strangers-text.ts";
import { StoreError } from "../store/store.ts";
import { findStoreAdvice } from "../service/doctor/store-advice.ts";

/** What failed, for a person: a line for each thing, and of a store what to do about it. */
export function toComplaints(error: unknown): string[] {
  const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return failures.map((one) => toPlainLine(`rugwatch: ${messageOf(one)}${toAdvice(one)}`));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Codes of the system can be of other things too, an endpoint say: the advice is only for what a store threw. */
function toAdvice(error: unknown): string {
  const advice = isOfStore(error) ? findStoreAdvice(error) : null;
  return advice === null ? "" : `. ${advice}`;
}

function isOfStore(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StoreError) return true;
  }
  return false;
}
