import type { CheckEntry, PanelConfirmEntry, SnapshotEntry } from "../../../generator/ledger/entry.ts";
import { timeOf } from "./cluster.ts";
import type { Noted, Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import type { Fault, Verdict } from "./verdict.ts";

/** So much of the story is told before a fault, and after it. */
const BEFORE = 15 * 60_000;
const AFTER = 15 * 60_000;

/** A seed's story as far as it bears on its first faults: what was true, who lied, what each said, and what was published. */
export function tellStory(scenario: Scenario, record: Record, { faults }: Verdict): string {
  const [first] = faults;
  const all = faults
    .slice(0, 10)
    .map((fault) => `  ${toTime(fault.at)} ${fault.kind} ${fault.vote.slice(-5)}: ${fault.text}`);
  const head = [`seed ${scenario.seed}: ${faults.length} faults`, ...all, ...tellWitnesses(scenario)];
  return [...head, ...(first === undefined ? [] : tellAround(scenario, record, first))].join("\n");
}

function tellWitnesses({ witnesses, cluster, promise }: Scenario): string[] {
  return [
    `  epochs of ${cluster.slotsInEpoch} slots, ${cluster.validators.length} validators, promised: ${promise}`,
    ...cluster.paces.map(
      ({ time, slot, slotMilliseconds }) => `  ${toTime(time)} slot ${slot}: ${slotMilliseconds} ms a slot`,
    ),
    ...witnesses.map(
      ({ origin, form, lagMilliseconds, jitter, offersAccounts, lies }) =>
        `  ${toName(origin)}: ${form}, ${lagMilliseconds} ms and ${jitter} slots behind${offersAccounts ? "" : ", no accounts"}${lies.length > 0 ? `, lies: ${lies.map(({ kind }) => kind).join(", ")}` : ""}`,
    ),
  ];
}

function tellAround({ cluster }: Scenario, record: Record, { at, vote }: Fault): string[] {
  const isNear = (one: { at: number }) => one.at >= at - BEFORE && one.at <= at + AFTER;
  const truth = (cluster.byVote.get(vote)?.rates ?? []).map(({ slot, value }) => ({
    at: timeOf(cluster, slot),
    line: `TRUTH slot ${slot}: ${value ?? "closed"}`,
  }));
  const said = record.noted.filter(isNear).map((noted) => ({ at: noted.at, line: tellNoted(noted, vote) }));
  const held = (record.held.get(vote) ?? []).map((one) => ({
    at: one.at,
    line: `HELD ${one.rate}${one.isSettled ? "" : ", not settled"}`,
  }));
  const events = record.events
    .filter((one) => one.vote === vote)
    .map(({ at: seen, event }) => ({
      at: seen,
      line: `EVENT ${String(event.from)} → ${String(event.to)} in (${event.previousSlot}, ${event.slot}] of epoch ${event.epoch}`,
    }));
  const rejected = record.rejected.filter(isNear).map((one) => ({ at: one.at, line: `REJECTED ${one.reason}` }));
  return [...truth, ...rejected, ...said, ...held, ...events]
    .sort((a, b) => a.at - b.at)
    .map((one) => `  ${toTime(one.at)} ${one.line}`);
}

function tellNoted({ entry, outcome }: Noted, vote: string): string {
  const verdict = outcome.accepted ? "" : " REFUSED";
  if (entry.kind === "check" || entry.kind === "snapshot") return `${tellObservation(entry, vote)}${verdict}`;
  return `${entry.kind} ${tellAnswers((entry as PanelConfirmEntry).answers, (entry as PanelConfirmEntry).votes.indexOf(vote))}`;
}

function tellObservation(entry: CheckEntry | SnapshotEntry, vote: string): string {
  const index = entry.votes.findIndex((row) => row.vote === vote);
  const row = entry.votes[index];
  const rate = row === undefined ? "-" : `${row.basisPoints ?? "?"}/${row.percent ?? "?"}%`;
  const panel = (entry.panel ?? []).map(({ slot, reason }) => slot ?? reason?.slice(0, 40)).join(" ");
  const accounts = entry.kind === "snapshot" ? ` accounts ${tellAnswers(entry.accounts ?? [], index)}` : "";
  const { endpoint, slot, epoch, votes } = entry;
  return `${entry.kind} by ${toName(endpoint)} slot ${slot} epoch ${epoch} rows ${votes.length} rate ${rate} panel [${panel}]${accounts}`;
}

type Answers = PanelConfirmEntry["answers"] | NonNullable<SnapshotEntry["accounts"]>;

function tellAnswers(answers: Answers, index: number): string {
  return answers
    .map((answer) => {
      if (answer.state === "failed") return `${toName(answer.endpoint)}: failed`;
      const row = answer.rows[index];
      return `${toName(answer.endpoint)}@${answer.slot}: ${row == null ? "-" : (row[0] ?? `${row[1] ?? "?"}%`)}`;
    })
    .join(", ");
}

function toName(label: string): string {
  return label.replace(/^https:\/\/witness-(\d).*$/, "w$1");
}

function toTime(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}
