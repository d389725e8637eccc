import type { Network } from "../contract/networks.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { readBlockProduction, readSlotSamples } from "./slots.ts";
import { readClusterNodes, type NodeRow } from "./cluster-nodes.ts";
import { readPanelIssuance } from "./issuance.ts";
import type { Dating } from "../rpc/clock.ts";
import type { Witness } from "../rpc/ranking.ts";
import { withReaders } from "../rpc/retry.ts";
import { locateNodes, type Locations } from "./locations.ts";
import { readMevSources, type MevRequest, type MevSections } from "./mev/mev-sources.ts";
import type { MevOptions } from "./mev/mev.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { NOT_CONFIGURED, NOT_DUE, toSection, type Section } from "./section.ts";
import { readStakeAccounts } from "./stakes/stake-accounts.ts";
import type { StakeRecords } from "./stakes/stake-records.ts";
import { readValidatorInfo } from "./validator-info.ts";

type SideSections = Pick<
  SnapshotEntry,
  "nodes" | "info" | "production" | "stakeAccounts" | "locations" | "slotSamples" | "issuance"
> &
  MevSections;

interface SideSourceOptions extends MevRequest {
  readers: RpcReader[];
  witnesses: readonly Witness[];
  network: Network;
  rows: SnapshotRow[];
  epoch: number;
  epochFirstSlot: number;
  dating: Dating;
  /** By the readers' clock. */
  deadline: number;
  scanStakeAccounts: boolean;
  readIssuance: boolean;
  /** Entries do not keep the accounts. */
  onStakeRecords: ((records: StakeRecords) => void) | null;
  mev: MevOptions | null;
  locations: Locations | null;
}

/**
 * Reads everything beside the vote accounts, all sources at once. A source that fails becomes a
 * failed section.
 */
export async function readSideSources(options: SideSourceOptions): Promise<SideSections> {
  const { epochFirstSlot } = options;
  const identities = new Set(options.rows.map(({ identity }) => identity));
  const onAnyEndpoint = <T>(read: (reader: RpcReader) => Promise<T>) =>
    toSection(() => withReaders(options.readers, read));
  const [nodes, info, production, slotSamples, stakeAccounts, issuance, mev] = await Promise.all([
    onAnyEndpoint((reader) => readClusterNodes(reader, identities)),
    onAnyEndpoint((reader) => readValidatorInfo(reader, identities)),
    onAnyEndpoint(async (reader) => ({
      rows: await readBlockProduction(reader, { identities, epochFirstSlot }),
    })),
    onAnyEndpoint(readSlotSamples),
    options.scanStakeAccounts ? toSection(() => scanStakeAccounts(options)) : NOT_DUE,
    options.readIssuance ? toSection(() => readPanelIssuance(options)) : NOT_DUE,
    readMevSources(options),
  ]);
  const locations = await locate(nodes, options.locations);
  return { nodes, info, production, slotSamples, stakeAccounts, issuance, ...mev, locations };
}

async function scanStakeAccounts({
  readers,
  rows,
  epoch,
  dating,
  onStakeRecords,
}: SideSourceOptions) {
  const asOf = new Date(dating.now()).toISOString();
  const found = await readStakeAccounts(readers, {
    rows,
    epoch,
    withRecords: onStakeRecords !== null,
  });
  if (found.records !== null) onStakeRecords?.(found.records);
  return { epoch, asOf, rows: found.rows };
}

async function locate(
  nodes: Section<NodeRow[]>,
  locations: Locations | null,
): Promise<SideSections["locations"]> {
  if (locations === null) return NOT_CONFIGURED;
  if (nodes.state === "failed")
    return { state: "failed", reason: "the addresses of the nodes could not be read" };
  return toSection(() => locateNodes(locations, nodes.value));
}
