import { backfill, type BackfillCounts, type BackfillProgress } from "../service/backfill.ts";
import { fail, finish, say, signal, toObservingOptions, type Flags } from "./command.ts";
import { toSearchCountsLine, toSearchLine } from "./transactions.ts";

/** `generate backfill`: exits with 1 if it stopped early. */
export async function backfillCommand(flags: Flags & { epochs: number }): Promise<void> {
  const report = await backfill({
    ...toObservingOptions(flags),
    epochs: flags.epochs,
    onProgress: (progress) => say(toProgressLine(progress)),
    onSearch: (progress) => say(toSearchLine(progress)),
  });
  await finish(flags, Promise.resolve(report));
  say(toCountsLine(report.backfill));
  say(toSearchCountsLine(report.transactions));
  if (report.backfill.stopped !== null || signal.aborted) fail();
}

function toProgressLine(progress: BackfillProgress): string {
  const { network, asked, total, failed, millisecondsLeft, lastFailure } = progress;
  const parts = [
    `${network}: asked for the history of ${asked} of ${total} validators`,
    ...(lastFailure === null ? [] : [`${failed} failed, the last one: ${lastFailure}`]),
    ...(asked < total ? [`about ${Math.ceil(millisecondsLeft / 60_000)} min left`] : []),
  ];
  return parts.join(" · ");
}

function toCountsLine({
  known,
  asked,
  withHistory,
  failed,
  epochsFilled,
  stopped,
}: BackfillCounts): string {
  const end = stopped === null ? [] : ["stopped; the next backfill goes on from here"];
  return [
    `${asked} of ${known} validators asked`,
    `${withHistory} with a history`,
    `${failed} failed`,
    `${epochsFilled} epochs filled`,
    ...end,
  ].join(" · ");
}
