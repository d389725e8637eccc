import type { Entry } from "../../../generator/entries/entry.ts";
import { timeOf } from "./cluster.ts";
import type { Fault } from "./faults.ts";
import type { Noted, Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import type { Verdict } from "./verdict.ts";

const AROUND_MILLISECONDS = 15 * 60_000;

/**
 * The part of a story around its first faults: what was
 * true, who lied, what each said, what was published.
 */
export function describeStory(scenario: Scenario, record: Record, { faults }: Verdict): string {
  const { seed, cluster, witnesses, promise } = scenario;
  const [first] = faults;
  return [
    `seed ${seed}: ${faults.length} faults`,
    ...faults
      .slice(0, 10)
      .map(({ at, kind, vote, text }) => `${toTime(at)} ${kind} ${vote.slice(-5)}: ${text}`),
    `epochs of ${cluster.slotsInEpoch} slots, ${cluster.validators.length} validators, promised: ${promise}`,
    ...cluster.paces.map(
      (pace) => `${toTime(pace.time)} slot ${pace.slot}: ${pace.slotMilliseconds} ms a slot`,
    ),
    ...witnesses.map(({ lies, ...plan }) =>
      JSON.stringify({ ...plan, lies: lies.map(({ kind }) => kind) }),
    ),
    ...(first === undefined ? [] : tellAround(scenario, record, first)),
  ].join("\n  ");
}

function tellAround({ cluster }: Scenario, record: Record, { at, vote }: Fault): string[] {
  const isNear = (one: { at: number }) => Math.abs(one.at - at) <= AROUND_MILLISECONDS;
  const lines = [
    ...(cluster.byVote.get(vote)?.rates ?? []).map((step) =>
      tell("TRUE", timeOf(cluster, step.slot), step),
    ),
    ...cluster.chain.oldestFirst
      .filter(({ order }) => order.deeds.some((deed) => deed.vote === vote))
      .map(({ order: { slot, index, failure, deeds }, signed }) =>
        tell("CARRIED OUT", timeOf(cluster, slot), {
          slot,
          index,
          failure,
          deeds,
          signature: signed().signature,
        }),
      ),
    ...record.rejected.filter(isNear).map((one) => tell("REJECTED", one.at, one.reason)),
    ...record.noted.filter(isNear).map((one) => tell("NOTED", one.at, toNoted(one, vote))),
    ...(record.held.get(vote) ?? []).map((one) => tell("HELD", one.at, one)),
    ...[...record.events, ...record.mevEvents]
      .filter((one) => one.vote === vote)
      .map((one) => tell("EVENT", one.at, one.event)),
  ];
  return lines.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

function tell(what: string, at: number, value: unknown) {
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === "bigint" ? String(one) : one,
  );
  return { at, line: `${toTime(at)} ${what} ${text}` };
}

/** Of transactions, everything. */
function toNoted({ entry, outcome }: Noted, vote: string): object {
  if (entry.kind === "transactions") return entry;
  const { kind, slot, epoch, endpoint, panel } = entry as Extract<Entry, { kind: "check" }>;
  const votes = "votes" in entry ? entry.votes : [];
  const row = votes.find((one) => one.vote === vote);
  const asked = entry.kind === "check" ? entry.unclear : votes.map((one) => one.vote);
  const index = asked.indexOf(vote);
  const answers = "accounts" in entry ? entry.accounts : [];
  const accounts = answers.map((one) =>
    "rows" in one ? { ...one, rows: one.rows[index], shares: [] } : one,
  );
  return { kind, slot, epoch, endpoint, panel, rows: votes.length, row, accounts, outcome };
}

function toTime(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}
