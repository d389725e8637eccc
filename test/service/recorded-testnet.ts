import { readFile } from "node:fs/promises";
import type { CommandOptions } from "../../generator/service/for-each-network.ts";
import { GENESIS_HASHES } from "../../generator/rpc/genesis.ts";
import { RECORDED } from "../observe/fixtures.ts";
import { makeSettings, storesIn } from "./settings.ts";
import { toJson } from "../cluster/rpc/json.ts";
import { startServer, type TestServer } from "../rpc/rpc-server.ts";

/** Results as JSON text: recordings go over the wire byte by byte. */
export type Results = Record<string, string>;

/** A recording, read without the generator's code. Stake in lamports. */
export interface Recording {
  results: Results;
  rows: {
    vote: string;
    identity: string;
    commissionPercent: number;
    stake: bigint;
    delinquent: boolean;
  }[];
  versions: Map<string, string>;
  /** Largest lastVote. */
  slot: number;
}

/** Testnet's epoch of slot 432,490,319: 14 of warm-up with 524,256 slots, then 432,000 each. */
const EPOCH_OF_2026 = 1013;

/**
 * Raw JSON-RPC answers of testnet in epoch 45, June 2020: percent only, no client ids, all credits.
 */
export async function recordingOf2020(): Promise<Recording> {
  const votes = await resultOf("rpc/getVoteAccounts.2020-06.json");
  const nodes = await resultOf("rpc/getClusterNodes.2020-06.json");
  const { current, delinquent } = parseExact(votes) as Record<
    "current" | "delinquent",
    Recorded2020[]
  >;
  const rows = [...current, ...delinquent].map((row) => ({
    ...{ vote: row.votePubkey, identity: row.nodePubkey, commissionPercent: row.commission },
    ...{ stake: BigInt(row.activatedStake), delinquent: delinquent.includes(row) },
  }));
  const slot = Math.max(...current.map(({ lastVote }) => lastVote));
  // The answers were recorded minutes apart: the epoch is that of the slot of the votes.
  const results = {
    ...ofNode(45, slot, 19_440_000),
    getVoteAccounts: votes,
    getClusterNodes: nodes,
  };
  return { results, rows, versions: toVersions(JSON.parse(nodes) as GossipNode[]), slot };
}

/**
 * The command line's JSON of testnet's validators
 * and gossip, August 2026, turned back into answers.
 */
export async function recordingOf2026(): Promise<Recording> {
  const listed = parseExact(await readRecorded("rpc/testnet-validators.json")) as {
    validators: Recorded2026[];
  };
  const gossip = parseExact(await readRecorded("rpc/testnet-gossip.json")) as GossipLine[];
  const slot = Math.max(...listed.validators.map(({ lastVote }) => lastVote));
  const toAnswer = (row: Recorded2026) => ({
    ...{ votePubkey: row.voteAccountPubkey, nodePubkey: row.identityPubkey },
    ...{ activatedStake: BigInt(row.activatedStake), epochVoteAccount: row.activatedStake > 0 },
    ...{ commission: row.commission, inflationRewardsCommissionBps: row.commission * 100 },
    epochCredits: [[EPOCH_OF_2026, row.credits, row.credits - row.epochCredits]],
    ...{ lastVote: row.lastVote, rootSlot: row.rootSlot },
  });
  const answersOf = (isDelinquent: boolean) =>
    listed.validators.filter(({ delinquent }) => delinquent === isDelinquent).map(toAnswer);
  const nodes = gossip.map(({ identityPubkey: pubkey, ipAddress, gossipPort, version }) => ({
    ...{ pubkey, gossip: `${ipAddress}:${gossipPort}`, version },
  }));
  const getVoteAccounts = toJson({ current: answersOf(false), delinquent: answersOf(true) });
  const node = ofNode(EPOCH_OF_2026, slot, 524_256 + (EPOCH_OF_2026 - 14) * 432_000);
  const rows = listed.validators.map((row) => ({
    ...{
      vote: row.voteAccountPubkey,
      identity: row.identityPubkey,
      commissionPercent: row.commission,
    },
    ...{ stake: BigInt(row.activatedStake), delinquent: row.delinquent },
  }));
  const results = { ...node, getVoteAccounts, getClusterNodes: JSON.stringify(nodes) };
  return { results, rows, versions: toVersions(nodes), slot };
}

export function startRecordedNode(results: Results): Promise<TestServer> {
  return startServer(({ body }, response) => {
    const result = results[body?.method ?? ""];
    const unknown = '"error":{"code":-32601,"message":"Method not found"}';
    response.setHeader("content-type", "application/json");
    response.end(
      `{"jsonrpc":"2.0","id":1,${result === undefined ? unknown : `"result":${result}`}}`,
    );
  });
}

interface Recorded2020
  extends Record<"votePubkey" | "nodePubkey", string>, Record<"commission" | "lastVote", number> {
  activatedStake: number | bigint;
}

interface Recorded2026 extends Record<
  "commission" | "credits" | "epochCredits" | "lastVote" | "rootSlot",
  number
> {
  voteAccountPubkey: string;
  identityPubkey: string;
  activatedStake: number | bigint;
  delinquent: boolean;
}

interface GossipNode {
  pubkey: string;
  version: string | null;
}

type GossipLine = Record<"identityPubkey" | "ipAddress" | "version", string> & {
  gossipPort: number;
};

function ofNode(epoch: number, slot: number, firstSlot: number): Results {
  const epochInfo = {
    epoch,
    absoluteSlot: slot,
    slotIndex: slot - firstSlot,
    slotsInEpoch: 432_000,
  };
  const getGenesisHash = JSON.stringify(GENESIS_HASHES.testnet);
  return { getGenesisHash, getHealth: '"ok"', getEpochInfo: JSON.stringify(epochInfo) };
}

function toVersions(nodes: readonly GossipNode[]): Map<string, string> {
  return new Map(
    nodes.flatMap(({ pubkey, version }) => (version === null ? [] : [[pubkey, version]])),
  );
}

function readRecorded(file: string): Promise<string> {
  return readFile(new URL(file, RECORDED), "utf8");
}

async function resultOf(file: string): Promise<string> {
  const text = await readRecorded(file);
  const begin = text.indexOf('"result":') + '"result":'.length;
  return text.slice(begin, text.lastIndexOf(',"id"'));
}

/** Finds integers beyond 2^53 in the text, unlike the generator. */
function parseExact(text: string): unknown {
  const marked = text.replaceAll(/(:\s*)(\d{16,})(?=[,}\s])/g, '$1"lamports $2"');
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("lamports ")
      ? BigInt(value.slice("lamports ".length))
      : value,
  );
}

const NOW = Date.UTC(2026, 10, 20);

export function toCommand(url: string, directory: string): CommandOptions {
  let time = NOW;
  return {
    settings: makeSettings({
      ...storesIn(directory),
      rpcUrls: { mainnet: [], testnet: [url], alpenglow: [] },
    }),
    // Each reading of the clock is later: entries are ordered by time.
    clock: {
      now: () => (time += 10),
      timer: () => performance.now(),
      sleepUntil: (later) => Promise.resolve(void (time = later)),
    },
    network: "testnet",
    newSeries: false,
    signal: new AbortController().signal,
  };
}
