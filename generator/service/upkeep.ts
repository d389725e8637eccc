import type { Compaction } from "../journal/compaction.ts";
import { messageOf } from "../contract/error-message.ts";
import type { Report } from "./report.ts";
import type { Context } from "./context.ts";

/** Rarely: a look lists the whole journal. */
const LOOK_EVERY_MILLISECONDS = 60 * 60_000;

/** Packs closed days, one at a time. Failures go to the report, and the next call tries again. */
export function createUpkeep({ journal, clock }: Context): (report: Report) => Promise<void> {
  let lookAt = -Infinity;
  return async (report) => {
    const now = clock.now();
    if (now < lookAt) return;
    try {
      const compaction = await journal.compact({ now });
      report.upkeep.push(...toLines(compaction));
      if (compaction.packed === null && compaction.deleted === null) lookAt = now + LOOK_EVERY_MILLISECONDS;
    } catch (error) {
      report.upkeep.push(`upkeep failed and is tried again: ${messageOf(error)}`);
    }
  };
}

function toLines({ packed, deleted, unreadable, damaged }: Compaction): string[] {
  const lines: string[] = [];
  if (packed !== null) lines.push(`${packed.entries} entries of ${packed.day} packed to ${packed.bytes} bytes`);
  if (deleted !== null) lines.push(`loose copies of ${deleted.entries} packed entries of ${deleted.day} deleted`);
  for (const { name, unreadable: reason } of unreadable) lines.push(`not packed: ${name}: ${reason}`);
  for (const { key, reason } of damaged)
    lines.push(`${key} is damaged, and the rest of its entries is packed again: ${reason}`);
  return lines;
}
