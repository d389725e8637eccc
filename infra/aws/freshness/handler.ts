import { inputSchema, measureNetworks } from "./measure.ts";

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const write = (line: string) => void process.stdout.write(`${line}\n`);

/** Measures how old the published data is, and what of it needs somebody. A schedule calls it. */
export function handler(event: unknown): Promise<void> {
  return measureNetworks(inputSchema.parse(event), { fetch, now, write });
}
