import type {
  CheckEntry,
  PanelConfirmEntry,
  SnapshotEntry,
  TransactionsEntry,
} from "../../../generator/entries/entry.ts";
import type { Carried } from "./chain.ts";
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
  const carried = cluster.chain.all
    .filter(({ deeds }) => deeds.some((deed) => deed.vote === vote))
    .map((one) => ({ at: timeOf(cluster, one.slot), line: tellCarried(one, vote) }));
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
      line: `EVENT ${String(event.from)} → ${String(event.to)} in (${event.previousSlot}, ${event.slot}] of epoch ${event.epoch}${event.transaction === null ? "" : ` by ${event.transaction.signature.slice(0, 6)}`}${event.isSwept ? ", swept" : ""}`,
    }));
  const rejected = record.rejected.filter(isNear).map((one) => ({ at: one.at, line: `REJECTED ${one.reason}` }));
  return [...truth, ...carried, ...rejected, ...said, ...held, ...events]
    .sort((a, b) => a.at - b.at)
    .map((one) => `  ${toTime(one.at)} ${one.line}`);
}

function tellCarried(carried: Carried, vote: string): string {
  const { slot, index, failed, deeds } = carried;
  const own = deeds.filter((deed) => deed.vote === vote);
  const what = own.map(
    ({ rates, handsTo, signer }) =>
      `${rates.join(", ")}${handsTo === null ? "" : ` to ${handsTo.slice(0, 5)}`} by ${signer.slice(0, 5)}`,
  );
  return `CARRIED ${carried.sign().signature.slice(0, 6)} slot ${slot} place ${index}${failed ? ", failed" : ""}: ${what.join("; ")}`;
}

function tellNoted({ entry, outcome }: Noted, vote: string): string {
  const verdict = outcome.accepted ? "" : " REFUSED";
  if (entry.kind === "check" || entry.kind === "snapshot") return `${tellObservation(entry, vote)}${verdict}`;
  if (entry.kind === "transactions") return tellSearches(entry);
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

/** Who listed how far, and what each says of the transactions that not all tell alike. */
function tellSearches({ panel, searches, transactions }: TransactionsEntry): string {
  const own = searches.map(({ authority, answers, transactions: listed }) => {
    const spans = answers.map((one) => (one.state === "ok" ? `${one.after}-${one.upTo}` : one.state));
    return `    ${authority.slice(0, 5)} [${spans.join(", ")}] ${listed.map((index) => transactions[index]?.signature.slice(0, 6)).join(" ")}`;
  });
  const told = transactions.map(({ signature, answers }) => {
    const each = answers.map((one) => (one.state === "ok" ? `${one.slot}${one.failed ? " failed" : ""}` : one.state));
    return `    ${signature.slice(0, 6)}: ${each.join(", ")}`;
  });
  return [`transactions by ${panel.map(toName).join(" ")}`, ...own, ...told].join("\n");
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
