import { isOfKind } from "../process-message.ts";

/** What the first process says to one that is to end. */
export const STOP_MESSAGE = { rugwatch: "stop" } as const;

/** Whether a message of the first process says so. */
export function isStopMessage(message: unknown): boolean {
  return isOfKind(message, STOP_MESSAGE.rugwatch);
}
