import type { Network } from "../../contract/networks.ts";
import type { ServerContact } from "../../rpc/clock.ts";
import { medianOf } from "../../rpc/ranking.ts";
import type { UsableExamination } from "./endpoints.ts";
import { ok, toFinding, toSpan, warning, type Finding, type Level } from "./findings.ts";

/** A Date header counts seconds and takes its time: less says nothing. */
const UNCERTAIN_MILLISECONDS = 1_000;
const WARNING_MILLISECONDS = 5_000;
const PROBLEM_MILLISECONDS = 60_000;
/** Age of the newest finalized block of a healthy cluster: 32 slots of up to half a second, and its way here. */
const FINALITY_MILLISECONDS = 30_000;

const SET_CLOCK = "Set this machine's clock by NTP (timedatectl set-ntp true): observations are dated by it.";

/** Our clock against the Date headers of all servers. By median: one wrong server decides nothing. */
export function judgeClock(contacts: ServerContact[]): Finding {
  const readings = contacts.map(({ clockAheadMilliseconds }) => clockAheadMilliseconds).filter((one) => one !== null);
  if (readings.length === 0)
    return warning("clock", "no server told its time", "Run doctor again when an endpoint answers.");
  const ahead = medianOf(readings);
  const size = Math.abs(ahead);
  const servers = `${readings.length} ${readings.length === 1 ? "server" : "servers"}`;
  if (size <= UNCERTAIN_MILLISECONDS) return ok("clock", `agrees with ${servers} to the second`);
  return toFinding(
    levelOf(size),
    "clock",
    `${toSpan(size)} ${ahead > 0 ? "ahead of" : "behind"} ${servers}`,
    SET_CLOCK,
  );
}

/** Our clock against the chain's, by the preferred endpoint. */
export function judgeChainClock(network: Network, usable: UsableExamination[]): Finding {
  const [time] = usable.flatMap(({ answers: { blockTime } }) => ("value" in blockTime ? [blockTime.value] : []));
  if (time === undefined) return ok("chain clock", "no endpoint tells the time of a block (getBlockTime)");
  const age = time.readAt - time.blockAt;
  const found = `the newest finalized block is ${toSpan(age)} ${age < 0 ? "ahead of" : "behind"} this machine's clock`;
  // Finality explains a block from the past, but none from the future.
  const excess = age < 0 ? -age : age - FINALITY_MILLISECONDS;
  const advice = `If the clock agrees with the servers above, ${network} or its endpoint stands still. If not: ${SET_CLOCK}`;
  return toFinding(levelOf(excess), "chain clock", found, advice);
}

function levelOf(milliseconds: number): Level {
  if (milliseconds > PROBLEM_MILLISECONDS) return "problem";
  return milliseconds > WARNING_MILLISECONDS ? "warning" : "ok";
}
