import { isDeepStrictEqual } from "node:util";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { NamedEntry } from "../../generator/entries/entry.ts";
import { toDifferenceLine } from "../../generator/publish/compare.ts";
import { readDocument } from "../service/documents.ts";
import type { Stores } from "./forked-store.ts";
import { judgeCreation, judgeUptime, readWitness } from "./judging.ts";
import { readLog } from "./log.ts";
import type { Appended } from "./process.ts";
import { letRivalsRun, EPOCHS, type Traces } from "./rivals.ts";
import { verify } from "./verification.ts";
import { BEGIN, createWorld, EPOCH_MILLISECONDS, type World } from "./world.ts";

const VERIFIED_AT = BEGIN + 4 * EPOCH_MILLISECONDS;

type Told = Pick<
  CommissionEvent,
  "id" | "votePubkey" | "source" | "severity" | "epoch" | "fromCommission" | "toCommission"
>;

export interface Stage {
  world: World;
  validators: number;
  expected: Told[];
}

/** @throws {Error} when even the undisturbed story has faults */
export async function openStage(validators: number): Promise<Stage> {
  const world = createWorld(validators, { epochs: EPOCHS });
  const traces = await letRivalsRun({ world, generators: 1, seed: null });
  const expected = await readEvents(traces.stores);
  const faults = await findFaults(traces, expected);
  if (faults.length > 0) throw new Error(`undisturbed, and yet: ${faults.join("; ")}`);
  return { world, validators, expected };
}

export async function tryInterleaving(
  { world, expected }: Stage,
  { generators, seed }: { generators: number; seed: number },
) {
  const traces = await letRivalsRun({ world, generators, seed });
  return {
    faults: await findFaults(traces, expected),
    deaths: traces.deaths,
    operations: traces.operations,
  };
}

export function commandFor(
  { validators }: Stage,
  { generators, seed }: { generators: number; seed: number },
): string {
  return `npx node test/soak/interleavings.ts --seeds 1 --from ${seed} --generators ${generators} --validators ${validators}`;
}

async function findFaults(
  { stores, appended, complaints }: Traces,
  expected: Told[],
): Promise<string[]> {
  const witness = await readWitness(stores.stateStore);
  const { entries, faults } = await readLog(stores.stateStore);
  const { events } = await readIndex(stores);
  const verified = await verify(stores, VERIFIED_AT);
  return [
    ...complaints.map((reason) => `a last run complained: ${reason}`),
    ...findLost(appended, entries),
    ...faults,
    ...verified.differences.map(
      (difference) => `not as a rebuild makes it: ${toDifferenceLine(difference)}`,
    ),
    ...verified.quarantined.map(({ object, reason }) => `${object}: ${reason}`),
    ...(verified.isOfJournal ? [] : ["the manifest is of another journal"]),
    ...compareEvents(await readEvents(stores), expected),
    ...events.flatMap((event) => judgeCreation(event, witness)),
    ...(await judgeUptime(stores.publicStore, witness)).faults,
  ];
}

/** Of two that append there is never one with the other's number. */
function findLost(appended: readonly Appended[], entries: readonly NamedEntry[]): string[] {
  const byName = new Map(entries.map(({ name, entry }) => [name, entry]));
  const isKept = ({ name, entry }: Appended) => isDeepStrictEqual(byName.get(name), entry);
  return appended
    .filter((one) => !isKept(one))
    .map(({ name }) => `${name} was appended and is not what the log holds`);
}

const readIndex = ({ publicStore }: Stores) =>
  readDocument({ publicStore, network: "mainnet" }, "index", {});

async function readEvents(stores: Stores): Promise<Told[]> {
  const { events } = await readIndex(stores);
  const told = events.map(
    ({ id, votePubkey, source, severity, epoch, fromCommission, toCommission }) => ({
      ...{ id, votePubkey, source, severity, epoch, fromCommission, toCommission },
    }),
  );
  return told.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function compareEvents(found: Told[], expected: Told[]): string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  const isIn = (all: Told[], one: Told) => all.some((other) => isDeepStrictEqual(one, other));
  return [
    ...found
      .filter((one) => !isIn(expected, one))
      .map((one) => `${JSON.stringify(one)} never happened`),
    ...expected
      .filter((one) => !isIn(found, one))
      .map((one) => `${JSON.stringify(one)} is missing`),
    ...(found.length === expected.length
      ? []
      : [`there are ${found.length} events and not ${expected.length}`]),
  ];
}
