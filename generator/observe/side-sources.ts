import type { Network } from "../contract/networks.ts";
import type { SnapshotEntry, SnapshotRow } from "../entries/entry.ts";
import { readBlockProduction } from "./block-production.ts";
import { readSlotSamples } from "./slot-samples.ts";
import { readClusterNodes, type NodeRow } from "./cluster-nodes.ts";
import { readPanelIssuance } from "./issuance.ts";
import type { Dating } from "../rpc/clock.ts";
import { withReaders } from "../rpc/retry.ts";
import { locateNodes, type Locations } from "./locations.ts";
import { readMevSources, type MevRequest, type MevSections } from "./mev/mev-sources.ts";
import type { MevOptions } from "./mev/vendor-api.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { NOT_CONFIGURED, NOT_DUE, toSection, type Section } from "./section.ts";
import { readPanelRewards } from "./rewards/rewards.ts";
import { readStakeAccounts } from "./stakes/stake-accounts.ts";
import type { StakeRecords } from "./stakes/stake-records.ts";
import { readValidatorInfo } from "./validator-info.ts";
import type { Panel } from "./witnesses.ts";

type SideSections = Pick<
  SnapshotEntry,
  | "nodes"
  | "info"
  | "production"
  | "stakeAccounts"
  | "rewards"
  | "locations"
  | "slotSamples"
  | "issuance"
> &
  MevSections;

/** What to read beside the vote accounts. */
export interface SideRequest extends MevRequest {
  scanStakeAccounts: boolean;
  /** It costs a node some work. */
  readIssuance: boolean;
  /** Those of the epoch before, for which a scan names the accounts. */
  readRewards: boolean;
  /** Receives the accounts, which entries do not keep; null: nobody wants them. */
  onStakeRecords: ((records: StakeRecords) => void) | null;
}

interface SideSourceOptions extends SideRequest, Panel {
  readers: RpcReader[];
  network: Network;
  rows: SnapshotRow[];
  epoch: number;
  epochFirstSlot: number;
  dating: Dating;
  mev: MevOptions | null;
  locations: Locations | null;
}

/** After this long another endpoint is asked. The slowest answer is all validator info, 10 MB. */
const ANSWER_MILLISECONDS = 15_000;

/**
 * Reads everything beside the vote accounts, all sources at once. A source that fails becomes a
 * failed section.
 */
export async function readSideSources(options: SideSourceOptions): Promise<SideSections> {
  const { epochFirstSlot } = options;
  const identities = new Set(options.rows.map(({ identity }) => identity));
  const onAnyEndpoint = <T>(read: (reader: RpcReader) => Promise<T>) =>
    toSection(() => withReaders(options.readers, read, ANSWER_MILLISECONDS));
  const [nodes, info, production, slotSamples, stakes, issuance, mev] = await Promise.all([
    onAnyEndpoint((reader) => readClusterNodes(reader, identities)),
    onAnyEndpoint((reader) => readValidatorInfo(reader, identities)),
    onAnyEndpoint(async (reader) => ({
      rows: await readBlockProduction(reader, { identities, epochFirstSlot }),
    })),
    onAnyEndpoint(readSlotSamples),
    options.scanStakeAccounts ? readStakes(options) : NO_STAKES,
    options.readIssuance ? toSection(() => readPanelIssuance(options)) : NOT_DUE,
    readMevSources(options),
  ]);
  const locations = await locate(nodes, options.locations);
  return { nodes, info, production, slotSamples, ...stakes, issuance, ...mev, locations };
}

type StakeSections = Pick<SideSections, "stakeAccounts" | "rewards">;

const NO_STAKES: StakeSections = { stakeAccounts: NOT_DUE, rewards: NOT_DUE };

/** The scan finds the accounts whose rewards are then read. */
async function readStakes(options: SideSourceOptions): Promise<StakeSections> {
  const scanned = await toSection(() => scanStakeAccounts(options));
  if (scanned.state === "failed") return { stakeAccounts: scanned, rewards: NOT_DUE };
  const { largest: validators, ...value } = scanned.value;
  const { epoch, epochFirstSlot: paidFromSlot } = options;
  const rewards =
    validators === null
      ? NOT_DUE
      : await toSection(() =>
          readPanelRewards({ epoch: epoch - 1, validators, paidFromSlot }, options),
        );
  return { stakeAccounts: { state: "ok", value }, rewards };
}

async function scanStakeAccounts({
  readers,
  rows,
  epoch,
  dating,
  readRewards,
  onStakeRecords,
}: SideSourceOptions) {
  const asOf = new Date(dating.now()).toISOString();
  const found = await readStakeAccounts(readers, {
    rows,
    epoch,
    withRecords: onStakeRecords !== null,
    withLargest: readRewards,
  });
  if (found.records !== null) onStakeRecords?.(found.records);
  return { epoch, asOf, rows: found.rows, largest: found.largest };
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
