import { againstBudget, sum, toMegabytes } from "./measuring.ts";
import { NETWORK_SIZES } from "./planning-size.ts";
import type { Put } from "./simulated-day.ts";
import { toKind, toMonthDollars } from "./store-day.ts";
import { playPackedDay } from "./packed-day.ts";

const WRITES_MAX = 60_000;

export async function bench(): Promise<string> {
  const played = await playPackedDay();
  const { observations, events, documents, counts, puts } = played.day;
  const kinds = [...Map.groupBy(puts, toKind)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  const dollars = Object.values(NETWORK_SIZES).map((size) =>
    toMonthDollars(played, size / NETWORK_SIZES.mainnet),
  );
  const sizeOf = (some: Put[]) => toMegabytes(sum(some.map(({ bytes }) => bytes)));
  return [
    againstBudget(puts.length, WRITES_MAX, "writes"),
    kinds.map(([kind, ofKind]) => `${kind} ${ofKind.length} (${sizeOf(ofKind)} MB)`).join(", "),
    `${observations} observations, ${events} events, ${counts.lists} pages listed, ${counts.gets} reads`,
    `writing all ${documents} documents at each observation would take ${Math.round((documents * observations) / puts.length)} times as many`,
    `a month at S3 list prices $${(dollars[0] ?? 0).toFixed(2)}, all networks $${sum(dollars).toFixed(2)}`,
  ].join("; ");
}
