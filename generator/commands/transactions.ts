import { transactions, type SearchCounts, type SearchProgress } from "../service/transactions.ts";
import { toCounted } from "../service/report.ts";
import { fail, finish, say, toObservingOptions, type Flags } from "./command.ts";

/** `generate transactions`: exits with 1 if it stopped early. */
export async function transactionsCommand(
  flags: Flags & { epochs: number; callsPerSecond: number },
): Promise<void> {
  const { epochs, callsPerSecond } = flags;
  const onProgress = (progress: SearchProgress) => say(toSearchLine(progress));
  const report = await transactions({
    ...toObservingOptions(flags),
    epochs,
    callsPerSecond,
    onProgress,
  });
  await finish(flags, Promise.resolve(report));
  say(toSearchCountsLine(report.transactions));
  if (report.transactions.stopped !== null) fail();
}

/** Progress of a search as one line. */
export function toSearchLine(progress: SearchProgress): string {
  const { network, searched, total, events, proved, millisecondsLeft } = progress;
  return [
    `${network}: ${searched} of ${toCounted(total, "search", "searches")} made`,
    `${toCounted(events, "event")} found`,
    `${proved} proved`,
    ...toShortcomings(progress),
    ...(searched < total ? [`about ${Math.ceil(millisecondsLeft / 60_000)} min left`] : []),
  ].join(" · ");
}

const STOPPED = "stopped; the next run goes on from here";

/** Outcome of a search as one line. */
export function toSearchCountsLine(counts: SearchCounts): string {
  const { known, searched, events, proved, stopped } = counts;
  const isAllKnown = searched === 0 && stopped === null;
  return [
    `${toCounted(searched, "search", "searches")} for ${toCounted(known, "withdraw authority", "withdraw authorities")}`,
    ...(isAllKnown ? ["nothing was left to search"] : []),
    `${toCounted(events, "event")} found by transactions alone`,
    `${toCounted(proved, "event")} proved`,
    ...toShortcomings(counts),
    ...(stopped === null ? [] : [searched === 0 ? "stopped" : STOPPED]),
  ].join(" · ");
}

function toShortcomings({ failed, pruned }: SearchCounts): string[] {
  return [
    ...(failed > 0 ? [`${failed} incomplete`] : []),
    ...(pruned > 0 ? [`${pruned} only as far back as the endpoints keep them`] : []),
  ];
}
