import type { Network } from "../../contract/networks.ts";
import type { EndpointExamination } from "../../observe/endpoint-examination.ts";
import { medianOf } from "../../rpc/ranking.ts";
import { toFinding, toSpan, type Finding } from "./findings.ts";

const WARNING_MILLISECONDS = 5_000;
const PROBLEM_MILLISECONDS = 60_000;
/** Age of the newest finalized block of a healthy cluster: 32 slots of up to half a second, and its way here. */
const FINALITY_MILLISECONDS = 30_000;

/**
 * Our clock against the endpoints' Date headers, by median: one wrong server decides nothing. And against the chain's,
 * by the preferred endpoint: finality explains a block from the past, but none from the future.
 * @param usable not empty
 */
export function judgeClock(network: Network, usable: readonly EndpointExamination[]): Finding {
  const readings = usable.flatMap(({ clockAheadMilliseconds }) => clockAheadMilliseconds ?? []);
  const ahead = medianOf(readings);
  const age = usable.find((one) => one.blockAgeMilliseconds.value !== undefined)?.blockAgeMilliseconds.value;
  const found = [
    readings.length === 0
      ? "no endpoint tells its time"
      : `${toSpan(ahead)} ${ahead < 0 ? "behind" : "ahead of"} the endpoints`,
    ...(age === undefined ? [] : [`${toSpan(age)} ${age < 0 ? "behind" : "after"} the newest finalized block`]),
  ];
  const excess = age === undefined ? 0 : age < 0 ? -age : age - FINALITY_MILLISECONDS;
  const off = Math.max(Math.abs(ahead), excess);
  const level = off > PROBLEM_MILLISECONDS ? "problem" : off > WARNING_MILLISECONDS ? "warning" : "ok";
  const advice = `Set this machine's clock by NTP (timedatectl set-ntp true): observations are dated by it. If it agrees with the endpoints, ${network} or its endpoint stands still.`;
  return toFinding(level, "clock", found.join(", "), advice);
}
