import type { SnapshotEntry, SnapshotRow } from "../ledger/entry.ts";
import { readBlockProduction } from "./block-production.ts";
import { readClusterNodes, type NodeRow } from "./cluster-nodes.ts";
import { withFailover } from "./failover.ts";
import { locateNodes, type Locations } from "./locations.ts";
import { readMev, type MevOptions } from "./mev.ts";
import type { RpcReader } from "./rpc.ts";
import { NOT_CONFIGURED, NOT_DUE, toSection, type Section } from "./section.ts";
import { readStakeAccounts } from "./stake-accounts.ts";
import { readValidatorInfo } from "./validator-info.ts";

/** The sections of a snapshot that may fail without the rest. */
export type SideSections = Pick<
  SnapshotEntry,
  "nodes" | "info" | "production" | "stakeAccounts" | "mev" | "closedMev" | "locations"
>;

export interface SideSourceOptions {
  /** Endpoints to ask, preferred first: what one refuses another may offer. */
  readers: RpcReader[];
  rows: SnapshotRow[];
  epoch: number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** As the readers' own. */
  deadline: number;
  scanStakeAccounts: boolean;
  /** Closed epoch to ask the MEV vendor for. */
  closedEpoch: number | null;
  /** null: no MEV vendor configured. */
  mev: MevOptions | null;
  /** null: no location databases configured. */
  locations: Locations | null;
}

/** Reads every side source at once. What they say of identities without a vote account is left out. */
export async function readSideSources(options: SideSourceOptions): Promise<SideSections> {
  const identities = new Set(options.rows.map(({ identity }) => identity));
  const onAnyEndpoint = <T>(read: (reader: RpcReader) => Promise<T>) =>
    toSection(() => withFailover(options.readers, read));
  const [nodes, info, production, stakeAccounts, mev, closedMev] = await Promise.all([
    onAnyEndpoint((reader) => readClusterNodes(reader, identities)),
    onAnyEndpoint((reader) => readValidatorInfo(reader, identities)),
    onAnyEndpoint(async (reader) => ({ rows: await readBlockProduction(reader, identities) })),
    options.scanStakeAccounts ? onAnyEndpoint((reader) => scanStakeAccounts(reader, options)) : NOT_DUE,
    readLatestMev(options),
    readClosedMev(options),
  ]);
  return { nodes, info, production, stakeAccounts, mev, closedMev, locations: await locate(nodes, options.locations) };
}

async function scanStakeAccounts(reader: RpcReader, { rows, epoch, now }: SideSourceOptions) {
  const asOf = new Date(now()).toISOString();
  return { epoch, asOf, rows: await readStakeAccounts(reader, { votes: rows.map(({ vote }) => vote), epoch }) };
}

async function readLatestMev({ mev, deadline }: SideSourceOptions): Promise<SideSections["mev"]> {
  if (mev === null) return NOT_CONFIGURED;
  return toSection(async () => ({ rows: await readMev(mev, { epoch: null, deadline }) }));
}

async function readClosedMev({
  mev,
  deadline,
  closedEpoch: epoch,
}: SideSourceOptions): Promise<SideSections["closedMev"]> {
  if (mev === null) return NOT_CONFIGURED;
  if (epoch === null) return NOT_DUE;
  return toSection(async () => ({ epoch, rows: await readMev(mev, { epoch, deadline }) }));
}

async function locate(nodes: Section<NodeRow[]>, locations: Locations | null): Promise<SideSections["locations"]> {
  if (locations === null) return NOT_CONFIGURED;
  if (nodes.state === "failed") return { state: "failed", reason: "the addresses of the nodes could not be read" };
  return toSection(() => locateNodes(locations, nodes.value));
}
