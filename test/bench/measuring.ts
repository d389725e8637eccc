import { makeDirectory } from "../store/directory.ts";

export async function withDirectory<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const { directory, remove } = await makeDirectory();
  try {
    return await work(directory);
  } finally {
    await remove();
  }
}

export function againstBudget(figure: number, most: number, unit: string): string {
  return `${figure.toLocaleString("en")} ${unit} (budget ${most.toLocaleString("en")}: ${figure <= most ? "kept" : "missed"})`;
}

export function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

export function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/** Processor milliseconds. */
export function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
