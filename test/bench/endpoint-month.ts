import type { MethodTraffic } from "./endpoint-traffic.ts";

interface MethodMonth {
  method: string;
  calls: number;
  gigabytes: number;
  packedGigabytes: number;
}

const DAYS_OF_MONTH = 365 / 12;
const GIGABYTE = 1e9;
/** Its size grows with the stake accounts. */
const STAKE_SCAN = /^getProgramAccounts(?:V2)? Stake1/;

export function toMonthOfCalls(
  day: readonly MethodTraffic[],
  stakeScanTimes: number,
): MethodMonth[] {
  return day
    .map(({ method, calls, bytes, packedBytes }) => {
      const times = (DAYS_OF_MONTH * (STAKE_SCAN.test(method) ? stakeScanTimes : 1)) / GIGABYTE;
      return {
        method,
        calls: calls * DAYS_OF_MONTH,
        gigabytes: bytes * times,
        packedGigabytes: packedBytes * times,
      };
    })
    .sort((one, other) => other.gigabytes - one.gigabytes);
}

export function toRows(months: readonly MethodMonth[]): string[] {
  const sum = (part: "calls" | "gigabytes" | "packedGigabytes") =>
    months.reduce((all, month) => all + month[part], 0);
  const all = {
    method: "all",
    calls: sum("calls"),
    gigabytes: sum("gigabytes"),
    packedGigabytes: sum("packedGigabytes"),
  };
  return [...months, all].map(
    ({ method, calls, gigabytes, packedGigabytes }) =>
      `  ${method.padEnd(34)} ${Math.round(calls).toLocaleString("en").padStart(12)} calls ${gigabytes.toFixed(1).padStart(8)} GB ${packedGigabytes.toFixed(1).padStart(8)} GB gzipped`,
  );
}
