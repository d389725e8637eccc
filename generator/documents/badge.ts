import type { CommissionEvent } from "../contract/event.ts";
import type { Network } from "../contract/networks.ts";
import { toObjectKey } from "../contract/objects.ts";
import type { Pattern } from "../contract/pattern.ts";
import { commissionPoint } from "../ledger/points.ts";
import { toHtml } from "./feed-entry.ts";
import { findRecord, type View } from "./view.ts";

export interface Standing {
  level: keyof typeof COLORS;
  text: string;
}

/** Contrast with white is at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
const COLORS = { rug: "#c01c28", raised: "#9a5b00", quiet: "#1a7f37", unknown: "#666" } as const;
const LABEL_COLOR = "#444";

/** Text is stretched to this width, so any font fits. */
const CHARACTER_WIDTH = 6.5;
const PADDING = 6;

/** Without styles or scripts, so that the strictest policy paints it. */
export function renderBadge(view: View, votePubkey: string): string | null {
  const standing = toStanding(view, votePubkey);
  if (standing === null) return null;
  const { network } = view.ledger;
  const label = network === "mainnet" ? "rugwatch" : `rugwatch ${network}`;
  return toSvg({ network, votePubkey }, label, standing);
}

/**
 * Worst first: a confirmed rug, even if taken back; a serial flip; a rise that stands; else since when there was none.
 * null: never seen.
 */
export function toStanding(view: View, votePubkey: string): Standing | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const all = view.eventsByVote().get(votePubkey) ?? [];
  const events = all.filter(({ replacedBy, supersededBy }) => replacedBy === null && supersededBy === null);
  const rug = events.find(({ severity, confirmed }) => severity === "RUG" && confirmed);
  if (rug !== undefined) return { level: "rug", text: `rug in epoch ${rug.epoch}` };
  const flip = events.find(({ pattern }) => pattern !== null)?.pattern ?? null;
  if (flip !== null) return { level: "raised", text: toFlips(flip) };
  const rises = events.filter(isRise);
  const standing = rises.find((rise) => !isTakenBack(rise, events));
  if (standing !== undefined) return { level: "raised", text: toRaised(standing) };
  const since = rises[0]?.epoch ?? findFirstKnown(view, found.ordinal);
  if (since === null) return { level: "unknown", text: "not known yet" };
  return { level: "quiet", text: `no rise since epoch ${since}` };
}

function isRise({ severity, delta }: CommissionEvent): boolean {
  return severity !== "INFO" || (delta ?? 0) > 0;
}

function isTakenBack(rise: CommissionEvent, newestFirst: readonly CommissionEvent[]): boolean {
  const later = newestFirst.slice(0, newestFirst.indexOf(rise)).filter(({ source }) => source === rise.source);
  return later.some(({ toCommission }) => (toCommission ?? 0) <= (rise.fromCommission ?? 0));
}

function toRaised({ source, toCommission, epoch }: CommissionEvent): string {
  return `${source === "MEV" ? "MEV " : ""}raised to ${toCommission} % in epoch ${epoch}`;
}

function toFlips({ source, from, to, lastEpoch }: Pattern): string {
  return `flips ${source === "MEV" ? "MEV " : ""}${from} ↔ ${to} %, last in epoch ${lastEpoch}`;
}

function findFirstKnown(view: View, ordinal: number): number | null {
  const isKnown = (epoch: number) => commissionPoint(view.ledger, "inflation", { epoch, ordinal }) !== null;
  return view.commissionEpochs().find(isKnown) ?? null;
}

function toSvg(
  names: { network: Network; votePubkey: string },
  label: string,
  { level, text }: { level: Standing["level"]; text: string },
): string {
  const [left, right] = [toBox(label, 0), toBox(text, toWidth(label))];
  const width = left.width + right.width;
  const title = `${toHtml(label)}: ${toHtml(text)}`;
  const address = `/${toObjectKey(names.network, "badge", { votePubkey: names.votePubkey })}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" data-address="${address}" width="${width}" height="20" role="img" aria-label="${title}">` +
    `<title>${title}</title>` +
    `<rect width="${width}" height="20" rx="3" fill="${COLORS[level]}"/>` +
    `<path d="M3 0h${left.width - 3}v20h-${left.width - 3}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="${LABEL_COLOR}"/>` +
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${left.svg}${right.svg}</g></svg>`
  );
}

function toBox(text: string, x: number): { width: number; svg: string } {
  const width = toWidth(text);
  const length = width - 2 * PADDING;
  return {
    width,
    svg: `<text x="${x + PADDING}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${toHtml(text)}</text>`,
  };
}

function toWidth(text: string): number {
  return Math.ceil(text.length * CHARACTER_WIDTH) + 2 * PADDING;
}
