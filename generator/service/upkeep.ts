import type { Packing } from "../journal/packing.ts";
import { messageOf } from "../contract/error-message.ts";
import type { Report } from "./report.ts";
import type { Context } from "./context.ts";

/** Rarely, because it lists the whole journal. */
const LOOK_EVERY_MILLISECONDS = 60 * 60_000;

/**
 * Packs the journal, a thousand entries at a time. Failures
 * go to the report, and the next call tries again.
 */
export function createUpkeep({ journal, clock }: Context): (report: Report) => Promise<void> {
  let lookAt = -Infinity;
  return async (report) => {
    const now = clock.now();
    if (now < lookAt) return;
    try {
      const done = await journal.pack();
      report.upkeep.push(...toLines(done));
      if (done.packed === null && done.deleted === null) lookAt = now + LOOK_EVERY_MILLISECONDS;
    } catch (error) {
      report.upkeep.push(`upkeep failed and is tried again: ${messageOf(error)}`);
    }
  };
}

function toLines({ packed, deleted, unreadable, damaged }: Packing): string[] {
  const lines: string[] = [];
  if (damaged !== null)
    lines.push(`${damaged.key} is damaged, and its entries are packed again: ${damaged.reason}`);
  if (packed !== null)
    lines.push(
      `${packed.entries} entries from ${packed.first} to ${packed.last} packed to ${packed.bytes} bytes`,
    );
  if (deleted !== null)
    lines.push(
      `loose copies of ${deleted.entries} packed entries from ${deleted.first} to ${deleted.last} deleted`,
    );
  for (const { name, unreadable: reason } of unreadable)
    lines.push(`not packed: ${name}: ${reason}`);
  return lines;
}
