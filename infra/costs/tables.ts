import type { Counts } from "./counts.ts";
import { billAws, billGenerator, billOneMachine, billR2, toUsage, type Line } from "./months.ts";
import { PRICES, PRICES_OF, type Price } from "./prices.ts";
import { FIRST_PAGE, READERS } from "./readers.ts";

/** Kinds of writes that have a line of their own. */
const KINDS_SHOWN = 10;

const BEGIN = "<!-- written by infra/costs/write.ts -->";
const END = "<!-- to here -->";

/**
 * A README with the tables of what a month costs, computed anew, between its two marks.
 *
 * @throws {Error} when the marks are not there
 */
export function withCosts(readme: string, counts: Counts): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the README lacks ${BEGIN} or, behind it, ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${toSections(counts)}\n\n${readme.slice(end)}`;
}

function toSections(counts: Counts): string {
  const usage = toUsage(counts);
  const [aws, r2, oneMachine] = [billAws(usage), billR2(usage), billOneMachine(usage)];
  const { firstPages, apiRequests, proxyPercent } = READERS;
  return [
    `A month costs **$${toTotal(aws)} on AWS, $${toTotal(r2)} with Cloudflare R2, $${toTotal(oneMachine)} on one machine**: of all three networks, years from now, mainnet with ${toCount(counts.networks.mainnet.validators)} validators. Readers are assumed: ${toCount(firstPages)} first pages of at most ${FIRST_PAGE.bytes / 1000} KB and ${FIRST_PAGE.requests} requests each, ${toCount(apiRequests)} requests of programs, ${proxyPercent} in a hundred of which only the proxy can answer.`,
    toBill("AWS, the generator in GitHub Actions", aws),
    toBill("Cloudflare R2 and a machine", r2),
    toBill("One machine", oneMachine),
    toTable(["Where the generator runs", "", "$"], billGenerator().map(toCells)),
    `Counted on ${counts.measuredOn}, in a day of the simulated mainnet under \`generate run\`: ${toCount(counts.day.observations)} observations, ${toCount(counts.day.events)} events.`,
    toTable(["Written in that day", "writes", "MB"], toKinds(counts)),
    toTable(
      [
        "A day of",
        "validators",
        "writes and listings",
        "reads",
        "MB read",
        "MB of loose entries",
        "MB of checkpoints and manifests",
        "MB public",
        "MB of state",
      ],
      Object.entries(counts.networks).map(([network, day]) => [
        network,
        ...[day.validators, day.writes, day.reads].map(toCount),
        ...[day.readBytes, day.looseBytes, day.derivedBytes, day.publicBytes, day.stateBytes].map(toMegabytes),
      ]),
    ),
    toTable(
      ["An answer, on average", "KB", "KB with gzip"],
      counts.answers.map(({ kind, bytes, gzipBytes }) => [kind, toKilobytes(bytes), toKilobytes(gzipBytes)]),
    ),
    `List prices as they were known on ${PRICES_OF}, without taxes. «Read» are those that were found on a copy of the vendor's own page; the others are what is widely known. Look before you rely on one.`,
    toTable(["Price", "of", "$", "for", "free each month", ""], Object.values(PRICES).map(toPriceCells)),
  ].join("\n\n");
}

function toBill(title: string, lines: Line[]): string {
  return toTable([title, "", "$"], [...lines.map(toCells), ["**Together**", "", `**${toTotal(lines)}**`]]);
}

function toTotal(lines: Line[]): string {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0).toFixed(2);
}

function toCells({ what, much, dollars }: Line): string[] {
  return [what, much, dollars.toFixed(2)];
}

function toKinds({ day }: Counts): string[][] {
  const shown = day.kinds.slice(0, KINDS_SHOWN);
  const rest = day.kinds.slice(KINDS_SHOWN);
  const others = {
    kind: "all others",
    puts: rest.reduce((sum, { puts }) => sum + puts, 0),
    bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return [...shown, others].map(({ kind, puts, bytes }) => [kind, toCount(puts), toMegabytes(bytes)]);
}

function toPriceCells({ vendor, of, dollars, per, unit, freeUnits, url, isRead }: Price): string[] {
  const free = freeUnits === 0 ? "" : toCount(freeUnits);
  const amount = unit === "pieces" ? "one" : `${toCount(per)} ${per === 1 ? unit.replace(/s$/, "") : unit}`;
  return [`[${vendor}](${url})`, of, String(dollars), amount, free, isRead ? "read" : ""];
}

function toTable(head: string[], rows: string[][]): string {
  const toRow = (cells: string[]) => `| ${cells.join(" | ")} |`;
  // Words to the left, figures to the right.
  const rule = head.map((_, column) => (rows.every((row) => /^[\d*.,]+$/.test(row[column] ?? "")) ? "--:" : "---"));
  return [toRow(head), toRow(rule), ...rows.map(toRow)].join("\n");
}

function toCount(count: number): string {
  return Math.round(count).toLocaleString("en");
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function toKilobytes(bytes: number): string {
  return (bytes / 1e3).toFixed(1);
}
