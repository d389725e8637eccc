const LAMPORTS_PER_SOL = 1_000_000_000n;

export function addStake(lamports: readonly string[]): string {
  return String(lamports.reduce((sum, each) => sum + BigInt(each), 0n));
}

const UNITS = [
  { from: 1_000_000_000n, suffix: "B" },
  { from: 1_000_000n, suffix: "M" },
  { from: 10_000n, suffix: "k", per: 1_000n },
];

/** Rounded half up: "12.3M", "45.6k", "1,234", "0.52". */
export function toShortSol(lamports: string): string {
  const amount = BigInt(lamports);
  for (const { from, suffix, per = from } of UNITS) {
    if (amount < from * LAMPORTS_PER_SOL) continue;
    return `${toDecimal(amount, per * LAMPORTS_PER_SOL, per === from ? 2 : 1)}${suffix}`;
  }
  if (amount >= 100n * LAMPORTS_PER_SOL) return toDecimal(amount, LAMPORTS_PER_SOL, 0);
  if (amount === 0n) return "0";
  if (amount < LAMPORTS_PER_SOL / 100n) return "< 0.01";
  return toDecimal(amount, LAMPORTS_PER_SOL, 2);
}

/** "1,234.5" */
export function toExactSol(lamports: string): string {
  return toDecimal(BigInt(lamports), LAMPORTS_PER_SOL, 9).replace(/\.?0+$/, "");
}

/** The one word for a missing value. */
export const NOT_KNOWN = "not known";

/** For a MEV commission of an earlier epoch: the API does not tell the two apart. */
export const OFF_OR_NOT_KNOWN = "off or not known";

/** A space that keeps a number and what it counts on one line. */
export const NO_BREAK = "\u00a0";
const PERCENT_SIGN = `${NO_BREAK}%`;

/** "7.5 %", never over two lines. */
export function toPercent(percent: number | null): string {
  return percent === null
    ? NOT_KNOWN
    : `${percent.toLocaleString("en", { maximumFractionDigits: 2 })}${PERCENT_SIGN}`;
}

/** Keeps every number and its "%" together in a sentence that the API wrote. */
export function keepPercents(sentence: string): string {
  return sentence.replace(/(?<=\d) %/g, PERCENT_SIGN);
}

/** Of a profile: "8 %", or else off where it runs no MEV client, and not known where it does. */
export function toMevText({
  mev: { mevCommission },
  mevVendorEnabled,
}: {
  mev: { mevCommission: number | null };
  mevVendorEnabled: boolean;
}): string {
  return mevCommission === null && !mevVendorEnabled ? "off" : toPercent(mevCommission);
}

/** "19.50 %", "< 0.01 %", never over two lines. */
export function toSharePercent(percent: number): string {
  const isTiny = percent > 0 && percent < 0.005;
  return `${isTiny ? "<\u00a00.01" : percent.toFixed(2)}${PERCENT_SIGN}`;
}

export function toCount(count: number): string {
  return count.toLocaleString("en");
}

export function toCounted(count: number, one: string, many = `${one}s`): string {
  return `${toCount(count)} ${count === 1 ? one : many}`;
}

function toDecimal(amount: bigint, unit: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const scaled = (amount * scale * 2n + unit) / (unit * 2n);
  const whole = (scaled / scale).toLocaleString("en");
  return decimals === 0 ? whole : `${whole}.${(scaled % scale).toString().padStart(decimals, "0")}`;
}

const SIZE_UNITS = ["kB", "MB", "GB"] as const;

/** "512 bytes", "1.3 kB", "12 MB" */
export function toSize(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const power = Math.min(SIZE_UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${SIZE_UNITS[power - 1] ?? ""}`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "1 d 4 h", "4 min 5 s", "12 s" */
export function toDuration(milliseconds: number): string {
  const rest = Math.max(0, milliseconds);
  if (rest >= DAY) return pair(rest, DAY, "d", HOUR, "h");
  if (rest >= HOUR) return pair(rest, HOUR, "h", MINUTE, "min");
  if (rest >= MINUTE) return pair(rest, MINUTE, "min", SECOND, "s");
  return `${Math.floor(rest / SECOND)} s`;
}

/** "just now", "5 min ago", "12 d ago" */
export function toAgo(milliseconds: number): string {
  if (milliseconds < MINUTE) return "just now";
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ago`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h ago`;
  return `${Math.floor(milliseconds / DAY)} d ago`;
}

/** "2026-11-20 15:30 UTC" */
export function toUtc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** "2026-11-20 16:30 UTC+01:00" @param offsetMinutes ahead of UTC */
export function toZoned(time: string, offsetMinutes: number): string {
  const shifted = new Date(Date.parse(time) + offsetMinutes * MINUTE)
    .toISOString()
    .slice(0, 16)
    .replace("T", " ");
  const ahead = Math.abs(offsetMinutes);
  const pad = (count: number) => String(count).padStart(2, "0");
  return `${shifted} UTC${offsetMinutes < 0 ? "−" : "+"}${pad(Math.floor(ahead / 60))}:${pad(ahead % 60)}`;
}

function pair(
  rest: number,
  large: number,
  largeName: string,
  small: number,
  smallName: string,
): string {
  const many = Math.floor(rest / large);
  const few = Math.floor((rest % large) / small);
  return few === 0 ? `${many} ${largeName}` : `${many} ${largeName} ${few} ${smallName}`;
}

/** "vote1…aaaaa" */
export function toShortKey(key: string): string {
  return `${key.slice(0, 5)}…${key.slice(-5)}`;
}
