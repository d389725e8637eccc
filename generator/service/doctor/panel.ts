import { originOf } from "../../contract/origin.ts";
import { medianOf } from "../../contract/numbers.ts";
import { majorityOf, witnessesNeeded } from "../../contract/panel.ts";
import type { EndpointExamination } from "../../observe/endpoint-examination.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toFinding, toSpan, type Finding } from "./check.ts";

/** A network's endpoints as observations would use them. */
export interface Panel {
  variable: string;
  /** The first four distinct origins. */
  witnesses: string[];
  /** Preferred first. */
  usable: EndpointExamination[];
}

/** What the usable endpoints guarantee, and what too few of them serve. */
export function judgePanel(panel: Panel): Finding[] {
  if (panel.usable.length === 0) return [judgeWitnesses(panel)];
  return [judgeWitnesses(panel), judgeClock(panel), ...judgeSources(panel)];
}

/** What so many usable witnesses guarantee. */
const GUARANTEES = [
  "nothing is observed",
  "not guarded against its lies",
  "if one of them lies, nothing false is published, but changes wait",
];

function judgeWitnesses(panel: Panel): Finding {
  const { length: count } = panel.witnesses;
  const able = countWitnesses(panel, panel.usable);
  const needed = witnessesNeeded(count);
  const guarantee = GUARANTEES[able] ?? "one of them may lie";
  const effect =
    able < needed && able > 0 ? `no change can be confirmed until ${needed} can` : guarantee;
  const level = able < needed ? "problem" : able < count || count < 3 ? "warning" : "ok";
  const fix = able < count ? "The lines above say why: repair them or replace them. " : "";
  const advice = `${fix}Give ${panel.variable} endpoints of three or four providers who do not depend on each other: then one of them may lie.`;
  return toFinding(
    level,
    "witnesses",
    `${able} of ${count} origins can be used: ${effect}`,
    advice,
  );
}

const CLOCK_WARNING_MILLISECONDS = 5_000;
const CLOCK_PROBLEM_MILLISECONDS = 60_000;
/**
 * Age of the newest finalized block of a healthy cluster:
 * 32 slots of up to half a second, and its way here.
 */
const FINALITY_MILLISECONDS = 30_000;

/**
 * Compares our clock with the endpoints' Date headers, by median, so that one wrong server decides
 * nothing; and with the chain's clock, by the preferred endpoint. Finality explains a block from
 * the past, but none from the future.
 */
function judgeClock({ usable }: Panel): Finding {
  const readings = usable.flatMap(({ clockAheadMilliseconds }) => clockAheadMilliseconds ?? []);
  const ahead = medianOf(readings) ?? 0;
  const [age] = usable.flatMap(({ blockAgeMilliseconds }) => blockAgeMilliseconds.value ?? []);
  const byEndpoints = `${toSpan(ahead)} ${ahead < 0 ? "behind" : "ahead of"} the endpoints`;
  const found = [
    readings.length === 0 ? "no endpoint gives its time" : byEndpoints,
    ...(age === undefined
      ? []
      : [`${toSpan(age)} ${age < 0 ? "behind" : "after"} the newest finalized block`]),
  ];
  const excess = age === undefined ? 0 : age < 0 ? -age : age - FINALITY_MILLISECONDS;
  const off = Math.max(Math.abs(ahead), excess);
  const level =
    off > CLOCK_PROBLEM_MILLISECONDS
      ? "problem"
      : off > CLOCK_WARNING_MILLISECONDS
        ? "warning"
        : "ok";
  const advice = `Set this machine's clock by NTP (timedatectl set-ntp true): observations are dated by it. If it agrees with the endpoints, the cluster or the endpoint stands still.`;
  return toFinding(level, "clock", found.join(", "), advice);
}

/** How many of so many witnesses must serve a source. */
type Needed = (witnesses: number) => number;
/** Any endpoint will do, also one that is no witness. */
const one: Needed = () => 1;

const NO_COSTS = "What a change costs its delegators will stay unknown";
const NO_TIPS =
  "What a change of MEV commission costs will stay unknown until its epoch is settled";
const NO_BLOCKS =
  "Whether validators switched MEV off will stay unknown and, if no endpoint serves it, skip " +
  "rates too";
const NO_PROOFS =
  "Changes will be proved with gaps or not at all (a node of your own needs " +
  "--enable-rpc-transaction-history and a larger --limit-ledger-size)";

/**
 * What is read beside the vote accounts, what happens
 * without it, and by how many it must be served.
 */
const SOURCES: [subject: string, method: ProbedMethod, lack: string, needed?: Needed][] = [
  [
    "vote accounts",
    "getMultipleAccounts",
    "Withdraw authorities will stay unknown, and changes unproved",
  ],
  [
    "gossip",
    "getClusterNodes",
    "Versions, clients and locations will stay as they were last known",
  ],
  ["block production", "getBlockProduction", NO_BLOCKS, witnessesNeeded],
  [
    "validator info",
    "getProgramAccounts of the Config program",
    "Names, icons and websites will stay unknown",
  ],
  [
    "stake accounts",
    "getProgramAccounts(V2) of the Stake program",
    "Stake on its way in or out will stay unknown",
  ],
  [
    "slot time",
    "getRecentPerformanceSamples",
    "Without it the first snapshots cannot estimate an epoch's end",
  ],
  ["epoch schedule", "getEpochSchedule", "History of past epochs cannot be given its slots"],
  [
    "alpenglow certificate",
    "getAgGenesisCert",
    "Whether vote credits are lamports is guessed from the credits",
  ],
  ["inflation rate", "getInflationRate", NO_COSTS, witnessesNeeded],
  ["supply", "getSupply", NO_COSTS, witnessesNeeded],
  ["rent", "getMinimumBalanceForRentExemption", NO_TIPS, witnessesNeeded],
  ["proofs", "transactions of a whole epoch", NO_PROOFS, majorityOf],
];

/** A warning for each source that too few endpoints serve, and a line for the rest. */
function judgeSources(panel: Panel): Finding[] {
  const { variable, witnesses, usable } = panel;
  const well: string[] = [];
  const lacking: Finding[] = [];
  for (const [subject, method, lack, toNeeded = one] of SOURCES) {
    const needed = toNeeded(witnesses.length);
    const serving = usable.filter(({ methods }) => methods[method].failed === undefined);
    if ((toNeeded === one ? serving.length : countWitnesses(panel, serving)) >= needed) {
      well.push(subject);
      continue;
    }
    const others = usable.filter((endpoint) => !serving.includes(endpoint));
    const failures = others.map(
      ({ label, methods }) => `#${label.split("#").at(-1)} ${methods[method].failed}`,
    );
    const found = failures.join("; ") || "too few witnesses can be used";
    const list =
      toNeeded === one ? variable : `${needed} of the witnesses, the first four of ${variable}`;
    const advice = `${lack}: add endpoints that serve ${method} to ${list}.`;
    lacking.push(toFinding("warning", subject, found, advice));
  }
  return [...lacking, toFinding("ok", "other sources", well.join(", ") || "nothing")];
}

function countWitnesses({ witnesses }: Panel, endpoints: readonly EndpointExamination[]): number {
  return witnesses.filter((origin) => endpoints.some(({ label }) => originOf(label) === origin))
    .length;
}
