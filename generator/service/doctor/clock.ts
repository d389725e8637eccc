import type { Network } from "../../contract/networks.ts";
import type { ServerContact } from "../../rpc/clock.ts";
import type { UsableExamination } from "./endpoints.ts";
import { ok, problem, toSpan, warning, type Finding } from "./findings.ts";

/** A Date header counts seconds, and travels: so much says nothing. */
const UNCERTAIN_MILLISECONDS = 1_000;
const WARNING_MILLISECONDS = 5_000;
const PROBLEM_MILLISECONDS = 60_000;
/** The newest finalized block is so old on a cluster that runs well: 32 slots of up to half a second, and the way here. */
const FINALITY_MILLISECONDS = 30_000;

const SET_CLOCK = "Set this machine's clock by NTP (timedatectl set-ntp true): observations are dated by it.";

/** Our clock against the Date headers of all servers that answered; the median, so that one wrong server decides nothing. */
export function judgeClock(contacts: ServerContact[]): Finding {
  const subject = "clock";
  const readings = contacts.map(({ clockAheadMilliseconds }) => clockAheadMilliseconds).filter((one) => one !== null);
  const ahead = median(readings);
  if (ahead === null) return warning(subject, "no server told its time", "Run doctor again when an endpoint answers.");
  const servers = `${readings.length} ${readings.length === 1 ? "server" : "servers"}`;
  const size = Math.abs(ahead);
  if (size <= UNCERTAIN_MILLISECONDS) return ok(subject, `agrees with ${servers} to the second`);
  const found = `${toSpan(size)} ${ahead > 0 ? "ahead of" : "behind"} ${servers}`;
  return rate(size)(subject, found, SET_CLOCK);
}

/** Our clock against the chain's own, as the preferred endpoint that tells it has it. */
export function judgeChainClock(network: Network, usable: UsableExamination[]): Finding {
  const subject = "chain clock";
  const times = usable.flatMap(({ answers: { blockTime } }) => ("value" in blockTime ? [blockTime.value] : []));
  const [time] = times;
  if (time === undefined) return ok(subject, "no endpoint tells the time of a block (getBlockTime)");
  const age = time.readAt - time.blockAt;
  const found = `the newest finalized block is ${toSpan(age)} ${age < 0 ? "ahead of" : "behind"} this machine's clock`;
  // A block from the future is not explained by finality; one from the past is, for so long.
  const excess = age < 0 ? -age : age - FINALITY_MILLISECONDS;
  const advice = `If the clock agrees with the servers above, ${network} or its endpoint stands still. If not: ${SET_CLOCK}`;
  return rate(excess)(subject, found, advice);
}

function rate(milliseconds: number): (subject: string, found: string, advice: string) => Finding {
  if (milliseconds > PROBLEM_MILLISECONDS) return problem;
  if (milliseconds > WARNING_MILLISECONDS) return warning;
  return ok;
}

function median(values: number[]): number | null {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}
