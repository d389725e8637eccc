import { isDeepStrictEqual } from "node:util";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type {
  AccountsAnswer,
  CheckEntry,
  CheckRow,
  SnapshotEntry,
} from "../../generator/entries/entry.ts";
import { foldEntry } from "../../generator/service/projection/fold-entry.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { readDocument } from "../service/documents.ts";

type Reading = CheckEntry | SnapshotEntry;

export interface Witness {
  /** Accepted, in the order of the log. */
  observations: Reading[];
  ledger: Ledger;
}

export async function readWitness(store: ObjectStore): Promise<Witness> {
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const { names } = await journal.list(null);
  const ledger = createLedger("mainnet", 1);
  const witness: Witness = { observations: [], ledger };
  for await (const read of journal.read(names)) {
    if ("unreadable" in read) continue;
    const folded = foldEntry(witness.ledger, read);
    witness.ledger = folded.ledger;
    if (!folded.outcome.accepted) continue;
    const { entry } = read;
    if (entry.kind === "check" || entry.kind === "snapshot") witness.observations.push(entry);
  }
  return witness;
}

/**
 * The old value must have been shown at its previous time and slot, the
 * new one by nobody earlier and by some endpoint first at its slot.
 */
export function judgeCreation(event: CommissionEvent, witness: Witness): string[] {
  // No observation shows what only a transaction tells.
  if (event.confirmedBy === "transaction" && event.previousSlot === null) return [];
  return event.source === "MEV" ? judgeShare(event, witness) : judgeInflation(event, witness);
}

function judgeShare({ id, ...event }: CommissionEvent, { observations }: Witness): string[] {
  // The slot is that by which a majority had given its lists.
  const isOf = ({ slot, panel }: Reading, told: number | null) =>
    slot === told || panel.some(({ list }) => list?.slot === told);
  const at = (time: string | null, slot: number | null) =>
    observations.find((one) => one.time === time && isOf(one, slot));
  const first = at(event.createdAt, event.slot);
  if (first === undefined)
    return [`${id}: no accepted observation is of ${event.createdAt} and slot ${event.slot}`];
  if (at(event.previousSeenAt, event.previousSlot) === undefined)
    return [
      `${id}: no accepted observation is of ${event.previousSeenAt} and slot ${event.previousSlot}`,
    ];
  return first.kind === "snapshot"
    ? []
    : [`${id}: a check shows no MEV commission, and is said to have`];
}

function judgeInflation(event: CommissionEvent, { observations }: Witness): string[] {
  const { id, votePubkey, fromCommission, toCommission, createdAt, slot, previousSeenAt } = event;
  const previousSlot = event.previousSlot ?? 0;
  const shown = observations.flatMap((entry) =>
    ratesIn(entry, votePubkey).map((rate) => ({ ...rate, time: entry.time })),
  );
  const isOld = (one: (typeof shown)[number]) =>
    one.time === previousSeenAt && one.slot === previousSlot && one.commission === fromCommission;
  const news = shown.filter((one) => one.slot > previousSlot && one.commission === toCommission);
  const firsts = [...Map.groupBy(news, ({ by }) => by).values()].flatMap(([one]) => one ?? []);
  const firstTime = news[0]?.time ?? "no time";
  return [
    ...(shown.some(isOld)
      ? []
      : [`${id}: nothing of ${previousSeenAt} and slot ${previousSlot} shows ${fromCommission} %`]),
    ...(firsts.some((one) => one.slot === slot)
      ? []
      : [`${id}: nobody shows ${toCommission} % first at slot ${slot}`]),
    ...(firstTime === createdAt
      ? []
      : [`${id}: created at ${createdAt}, first shown at ${firstTime}`]),
  ];
}

interface Shown {
  /** The endpoint, and whether its list or the account. */
  by: string;
  slot: number;
  commission: number | null;
}

function ratesIn(entry: Reading, vote: string): Shown[] {
  const asked = entry.kind === "check" ? entry.unclear : entry.votes.map((row) => row.vote);
  return [...listsIn(entry, vote), ...accountsIn(entry.accounts, asked.indexOf(vote))];
}

function listsIn({ votes, panel }: Reading, vote: string): Shown[] {
  const whole = votes.find((row) => row.vote === vote);
  return panel.flatMap(({ endpoint, list }) => {
    const own = list?.rows.find((row) => row.vote === vote) ?? whole;
    if (list === null || own === undefined || list.lacks.includes(vote)) return [];
    return [{ by: `${endpoint} list`, slot: list.slot, commission: toPercent(own.basisPoints) }];
  });
}

function accountsIn(answers: readonly AccountsAnswer[], index: number): Shown[] {
  if (index === -1) return [];
  return answers.flatMap((answer) => {
    if (answer.state !== "ok") return [];
    const { endpoint, slot, rows } = answer;
    return [{ by: `${endpoint} account`, slot, commission: toPercent(rows[index]?.[0] ?? null) }];
  });
}

/** Whoever observes a made-up world reads basis points. */
function toPercent(basisPoints: number | null): number | null {
  return basisPoints === null ? null : Math.min(basisPoints, 10_000) / 100;
}

const DAY_LENGTH = "YYYY-MM-DD".length;
const HOUR_LENGTH = "YYYY-MM-DDTHH".length;
const MINUTE_LENGTH = "YYYY-MM-DDTHH:MM".length;

/**
 * Of validators in every accepted observation: finished
 * hours as published, the current one as folded.
 */
export async function judgeUptime(publicStore: ObjectStore, { observations, ledger }: Witness) {
  const hour = observations.at(-1)?.time.slice(0, HOUR_LENGTH) ?? "";
  const checks = Map.groupBy(observations, ({ time }) => time.slice(0, MINUTE_LENGTH));
  const minutes = [...checks]
    .filter(([, [first]]) => !isIncident(first?.votes ?? []))
    .map(([minute]) => minute);
  const over = minutes.filter((minute) => !minute.startsWith(hour));
  const days = [...Map.groupBy(over, (minute) => minute.slice(0, DAY_LENGTH))].map(
    ([date, all]) => [date, all.length],
  );
  const seen = observations.map(({ votes }) => new Set(votes.map(({ vote }) => vote)));
  const always = [...ledger.validators.entries()].filter(([, { vote }]) =>
    seen.every((votes) => votes.has(vote)),
  );
  const faults: string[] = [];
  for (const [validatorIndex, { vote }] of always) {
    const { data } = await readDocument({ publicStore, network: "mainnet" }, "uptime", {
      votePubkey: vote,
    });
    const found = data.map(({ date, uptimeChecks }) => [date, uptimeChecks]);
    const running = ledger.uptime.hourChecks.get("running")?.[validatorIndex] ?? 0;
    if (!isDeepStrictEqual(found, days) || running !== minutes.length - over.length)
      faults.push(
        `uptime of ${vote}: ${JSON.stringify({ found, days, running, minutes: minutes.length })}`,
      );
  }
  return { validators: always.length, minutes: minutes.length, faults };
}

/** Over a third of the stake is delinquent: the minute does not count. */
function isIncident(rows: readonly CheckRow[]): boolean {
  const sum = (some: readonly CheckRow[]) =>
    some.reduce((total, { activeStake }) => total + activeStake, 0n);
  return sum(rows.filter(({ delinquent }) => delinquent)) * 3n > sum(rows);
}
