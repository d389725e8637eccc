import type { CommissionEvent } from "../../contract/event.ts";
import type { VerdictLevel } from "../../contract/verdict.ts";
import { onlyRugs } from "../rugs.ts";
import { isStandingRug } from "../standing-rugs.ts";
import { findRecord, type View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

interface Row {
  votePubkey: string;
  name: string | null;
  /** Newest first; never empty. */
  rugsOfVote: readonly CommissionEvent[];
  newest: CommissionEvent;
  standing: boolean;
  verdict: VerdictLevel;
}

const toTable = tableOf<"rugs", Row>("rugs", {
  rugs: ({ rugsOfVote }) => rugsOfVote.length,
  firstEpoch: ({ rugsOfVote }) => Math.min(...rugsOfVote.map(({ epoch }) => epoch)),
  lastEpoch: ({ newest }) => newest.epoch,
  newestSignature: ({ newest }) => newest.transaction?.signature ?? null,
  highestCommission: ({ rugsOfVote }) =>
    Math.max(...rugsOfVote.map(({ toCommission }) => toCommission ?? 0)),
  unconfirmed: ({ rugsOfVote }) => rugsOfVote.filter(({ confirmed }) => !confirmed).length,
  newestEventId: ({ newest }) => newest.id,
});

/** One row for each validator that ever rugged, the newest first. */
export function toRugsTable(view: View): Table | null {
  if (view.latestEpoch === null) return null;
  const byVote = Map.groupBy(onlyRugs(view.events()), ({ votePubkey }) => votePubkey);
  return toTable([...byVote.values()].flatMap((rugs) => toRows(view, rugs)));
}

function toRows(view: View, rugsOfVote: readonly CommissionEvent[]): Row[] {
  const [newest] = rugsOfVote;
  const found = newest === undefined ? null : findRecord(view, newest.votePubkey);
  if (newest === undefined || found === null) return [];
  const { vote, name } = found.record;
  const standing = isStandingRug(view, found);
  const verdict = view.verdictOf(found).level;
  return [{ votePubkey: vote, name, rugsOfVote, newest, standing, verdict }];
}
