import { parseArgs } from "node:util";

export interface Count {
  default: number;
  least?: number;
  most?: number;
}

/** The numbers of a tool's flags. Prints help or the fault and ends the process if needed. */
export function readCounts<Name extends string>(
  help: string,
  counts: Record<Name, Count>,
): Record<Name, number> {
  const names = Object.keys(counts) as Name[];
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ options: { ...options, help: { type: "boolean" } } });
    if (values["help"] === true) end(help, 0);
    const given = values as Partial<Record<Name, string>>;
    return Object.fromEntries(
      names.map((name) => [name, toCount(name, given[name], counts[name])]),
    ) as Record<Name, number>;
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error), 2);
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function toCount(
  flag: string,
  text: string | undefined,
  { default: usual, least = 1, most = 9_999_999 }: Count,
): number {
  if (text === undefined) return usual;
  const count = /^\d{1,8}$/.test(text) ? Number(text) : NaN;
  if (count >= least && count <= most) return count;
  throw new RangeError(
    `--${flag} is ${JSON.stringify(text)}: give a whole number from ${least} to ${most}`,
  );
}

function end(line: string, status: number): never {
  say(line);
  process.exit(status);
}
