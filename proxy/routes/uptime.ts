import { OBJECTS, type DocumentOf } from "../../generator/contract/objects.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toAnswer } from "../cache/answer.ts";
import type { Documents } from "../cache/documents.ts";
import { toJson } from "../cache/answer.ts";
import { readDays, readVotePubkey } from "./parameters.ts";
import { parseDocument } from "../cache/store.ts";
import type { Route } from "./route.ts";

type UptimeDocument = DocumentOf<"uptime">;

/** Endpoint 6: a validator's checks by day; with `days` only the newest recorded ones, and the sums over these. */
export function uptimeRoute(documents: Documents): Route {
  const { cache } = OBJECTS.uptime;
  return {
    endpoint: "uptime",
    async answer({ network, names, query }) {
      const votePubkey = readVotePubkey(names["votePubkey"]);
      const days = readDays(query);
      const reading = await documents.get(network, "uptime", { votePubkey });
      const { value } = reading;
      if (value === null) return { ...reading, value: toAnswer(toEmptyJson(network, votePubkey), cache) };
      if (days === undefined) return { ...reading, value };
      return { ...reading, value: toAnswer(toNewestJson(parseDocument("uptime", value.body), days), cache) };
    },
  };
}

function toNewestJson({ data, meta }: UptimeDocument, days: number): string {
  const newest = data.slice(-days);
  const uptimeChecks = sum(newest.map((day) => day.uptimeChecks));
  const delinquentChecks = sum(newest.map((day) => day.delinquentChecks));
  const overallUptimePercent = toPercent(uptimeChecks - delinquentChecks, uptimeChecks);
  return toJson(newest, { ...meta, daysTracked: newest.length, overallUptimePercent, uptimeChecks, delinquentChecks });
}

function toEmptyJson(network: Network, votePubkey: string): string {
  const sums = { daysTracked: 0, overallUptimePercent: 0, uptimeChecks: 0, delinquentChecks: 0 };
  return toJson([], { network, votePubkey, ...sums });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Percent with two decimals, half up, from whole numbers: a float on the way could round the wrong way. */
function toPercent(part: number, whole: number): number {
  if (whole === 0) return 0;
  return Math.floor((part * 20_000 + whole) / (2 * whole)) / 100;
}
