import { toPlainLine } from "../contract/strangers-text.ts";
import { messageOf } from "../contract/error-message.ts";
import { UnknownSubjectError } from "../service/explain/event.ts";
import { SettingsError } from "../settings/variables.ts";
import { findStoreAdvice } from "../store/advice.ts";
import { StoreError } from "../store/store.ts";

/** Lines for an error, with advice if there is any. They are safe for a terminal. */
export function toComplaints(error: unknown): string[] {
  const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return failures.map((one) => {
    return toPlainLine(`rugwatch: ${messageOf(one)}${toAdvice(one)}`);
  });
}

/** System codes can come from an endpoint too. */
function toAdvice(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof StoreError)) continue;
    const advice = findStoreAdvice(cause);
    return advice === null ? "" : `. ${advice}`;
  }
  return "";
}

/** Whether the user gave wrong settings or a wrong subject, so that trying again is of no use. */
export function isWrongUse(error: unknown): boolean {
  return error instanceof SettingsError || error instanceof UnknownSubjectError;
}
