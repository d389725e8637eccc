/** Characters of a cell: a job's page is looked at, not searched. */
const TEXT_LENGTH_MAX = 400;

const COUNT = new Intl.NumberFormat("en");

/** A table in Markdown; its first row is its head. */
export function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.map(toText).join(" | ")} |`;
  return [toLine(head), `|${" --- |".repeat(head.length)}`, ...rows.map(toLine)].join("\n");
}

/**
 * Text that Markdown takes for nothing but text: an entity never marks structure (CommonMark §2.5), so whatever is no letter,
 * digit or space becomes one. Line breaks and what cannot be seen become spaces.
 */
export function toText(text: string): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
  const short = line.length > TEXT_LENGTH_MAX ? `${line.slice(0, TEXT_LENGTH_MAX).replace(/\p{Cs}$/u, "")}…` : line;
  return short.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

/** `1,234` */
export function toCount(count: number): string {
  return COUNT.format(count);
}
