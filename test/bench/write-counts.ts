import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { COUNTS_FILE, type Counts } from "../../infra/costs/counts.ts";
import { countKeptCheckpoints } from "./kept-checkpoints.ts";
import { NETWORK_SIZES, PLANNED_EPOCHS } from "./planning-size.ts";
import { prepareState } from "./prepared-state.ts";
import { playDay, type SimulatedDay } from "./simulated-day.ts";
import { measureGrown, toKind, toStoreDay } from "./store-day.ts";
import { tidyDay } from "./tidied-day.ts";

// Counts what a day writes, reads and leaves, and writes it to infra/costs/counts.json, which the costs in infra/README.md
// are computed from: `node test/bench/write-counts.ts`, some minutes, then `node infra/costs/write.ts`.

const directory = await mkdtemp(join(tmpdir(), "rugwatch-counts-"));
try {
  const grown = await measureGrown(await prepareState(join(directory, "grown"), { epochs: PLANNED_EPOCHS }));
  const day = await playDay(join(directory, "day"));
  const tidied = await tidyDay(day.stateStore, join(directory, "state"));
  const measured = { day, tidied, grown, kept: countKeptCheckpoints() };
  const toDay = (validators: number) => toStoreDay(measured, { validators, times: validators / NETWORK_SIZES.mainnet });
  const counts: Counts = {
    measuredOn: new Date().toISOString().slice(0, 10),
    day: { observations: day.observations, events: day.events, kinds: toKinds(day) },
    networks: {
      mainnet: toDay(NETWORK_SIZES.mainnet),
      testnet: toDay(NETWORK_SIZES.testnet),
      alpenglow: toDay(NETWORK_SIZES.alpenglow),
    },
    answers: grown.answers,
  };
  const settings = await resolveConfig(COUNTS_FILE);
  await writeFile(COUNTS_FILE, await format(JSON.stringify(counts), { ...settings, parser: "json" }));
} finally {
  await rm(directory, { recursive: true });
}

/** By number of writes, most first. */
function toKinds({ puts }: SimulatedDay): Counts["day"]["kinds"] {
  return [...Map.groupBy(puts, toKind)]
    .map(([kind, ofKind]) => ({ kind, puts: ofKind.length, bytes: ofKind.reduce((sum, { bytes }) => sum + bytes, 0) }))
    .sort((one, other) => other.puts - one.puts);
}
