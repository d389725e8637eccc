import type { Network } from "../contract/networks.ts";
import { toObjectKey } from "../contract/object-keys.ts";
import type { Verdict } from "../contract/verdict.ts";
import { toHtml } from "./feed-entry.ts";
import type { Judgement } from "../views/verdict/verdict.ts";
import { findRecord, type View } from "./view.ts";

/** Of a verdict. Contrast with white is at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
export const COLORS = {
  bad: "#c01c28",
  caution: "#9a5b00",
  good: "#1a7f37",
  unknown: "#666666",
} as const satisfies Record<Verdict["level"], string>;
const LABEL_COLOR = "#444";

/** The text is stretched to this width a character, so any font fits. */
const CHARACTER_WIDTH = 6.5;
const PADDING = 6;

/**
 * An SVG badge of the verdict, without styles or scripts, so that the strictest content policy
 * renders it. null: the validator was never seen.
 */
export function renderBadge(view: View, votePubkey: string): string | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const judgement = view.verdictOf(found);
  const { network } = view.ledger;
  const label = network === "mainnet" ? "rugwatch" : `rugwatch ${network}`;
  return toSvg({ network, votePubkey }, label, {
    level: judgement.level,
    text: toBrief(judgement),
  });
}

/** "bad · rug in epoch 1080": the level, and the first reason in a few words. */
export function toBrief({ level, reasons: [first] }: Judgement): string {
  const brief = first?.brief ?? "";
  return level === "unknown" ? brief : `${level} · ${brief}`;
}

function toSvg(
  names: { network: Network; votePubkey: string },
  label: string,
  { level, text }: { level: Verdict["level"]; text: string },
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
