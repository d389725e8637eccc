import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GENESIS_HASHES } from "../../generator/rpc/ranking.ts";
import { RECORDED } from "../observe/fixtures.ts";
import { toExactJson } from "../rpc/rpc-server.ts";

/** A result as the JSON text it is sent as: what was recorded goes over the wire byte by byte. */
export type Results = Record<string, string>;

/** What a recorded vote account says, read apart from the generator's own code. Stake in lamports. */
export interface RecordedRow {
  vote: string;
  identity: string;
  commissionPercent: number;
  stake: bigint;
  delinquent: boolean;
}

export interface Recording {
  results: Results;
  rows: RecordedRow[];
  /** Version by identity, as gossip said it. */
  versions: Map<string, string>;
  epoch: number;
  /** Largest lastVote. */
  slot: number;
}

/** Raw JSON-RPC answers of testnet in epoch 45, June 2020: percent only, no client ids, every epoch's credits. */
export async function recordingOf2020(): Promise<Recording> {
  const votes = await resultOf("rpc/getVoteAccounts.2020-06.json");
  const nodes = await resultOf("rpc/getClusterNodes.2020-06.json");
  const { current, delinquent } = parseExact(votes) as Record<"current" | "delinquent", Recorded2020[]>;
  const toRow = (row: Recorded2020, isDelinquent: boolean): RecordedRow => ({
    vote: row.votePubkey,
    identity: row.nodePubkey,
    commissionPercent: row.commission,
    stake: BigInt(row.activatedStake),
    delinquent: isDelinquent,
  });
  const rows = [...current.map((row) => toRow(row, false)), ...delinquent.map((row) => toRow(row, true))];
  const slot = Math.max(...current.map(({ lastVote }) => lastVote));
  // The three answers were recorded some minutes apart: where the epoch was is told for the slot of the votes.
  const epochInfo = { epoch: 45, absoluteSlot: slot, slotIndex: slot - 19_440_000, slotsInEpoch: 432_000 };
  return {
    results: { ...ofNode(epochInfo), getVoteAccounts: votes, getClusterNodes: nodes },
    rows,
    versions: toVersions(JSON.parse(nodes) as { pubkey: string; version: string | null }[]),
    epoch: epochInfo.epoch,
    slot,
  };
}

/** The command line's JSON of testnet's validators and gossip, August 2026, put back into the answers it was made of. */
export async function recordingOf2026(): Promise<Recording> {
  const listed = parseExact(await readRecorded("rpc/testnet-validators.json")) as { validators: Recorded2026[] };
  const gossip = parseExact(await readRecorded("rpc/testnet-gossip.json")) as GossipNode[];
  const slot = Math.max(...listed.validators.map(({ lastVote }) => lastVote));
  const firstSlot = 524_256 + (EPOCH_OF_2026 - 14) * 432_000;
  const toAnswer = (row: Recorded2026) => ({
    votePubkey: row.voteAccountPubkey,
    nodePubkey: row.identityPubkey,
    activatedStake: BigInt(row.activatedStake),
    commission: row.commission,
    inflationRewardsCommissionBps: row.commission * 100,
    epochVoteAccount: row.activatedStake > 0,
    epochCredits: [[EPOCH_OF_2026, row.credits, row.credits - row.epochCredits]],
    lastVote: row.lastVote,
    rootSlot: row.rootSlot,
  });
  const nodes = gossip.map(({ identityPubkey, ipAddress, gossipPort, version }) => ({
    pubkey: identityPubkey,
    gossip: `${ipAddress}:${gossipPort}`,
    version,
  }));
  return {
    results: {
      ...ofNode({ epoch: EPOCH_OF_2026, absoluteSlot: slot, slotIndex: slot - firstSlot, slotsInEpoch: 432_000 }),
      getVoteAccounts: toExactJson({
        current: listed.validators.filter(({ delinquent }) => !delinquent).map(toAnswer),
        delinquent: listed.validators.filter(({ delinquent }) => delinquent).map(toAnswer),
      }),
      getClusterNodes: JSON.stringify(nodes),
    },
    rows: listed.validators.map((row) => ({
      vote: row.voteAccountPubkey,
      identity: row.identityPubkey,
      commissionPercent: row.commission,
      stake: BigInt(row.activatedStake),
      delinquent: row.delinquent,
    })),
    versions: toVersions(nodes),
    epoch: EPOCH_OF_2026,
    slot,
  };
}

/** A node that answers with recorded results, and that it does not know every other method. */
export async function startRecordedNode(results: Results): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string };
      const result = results[method];
      const unknown = '"error":{"code":-32601,"message":"Method not found"}';
      response.sendDate = false;
      response.setHeader("content-type", "application/json");
      response.end(`{"jsonrpc":"2.0",${result === undefined ? unknown : `"result":${result}`},"id":1}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Testnet's epoch of slot 432,490,319: 14 of warm-up, 524,256 slots long, and the rest of 432,000 each. */
const EPOCH_OF_2026 = 1013;

interface Recorded2020 {
  votePubkey: string;
  nodePubkey: string;
  commission: number;
  activatedStake: number | bigint;
  lastVote: number;
}

interface Recorded2026 {
  voteAccountPubkey: string;
  identityPubkey: string;
  commission: number;
  activatedStake: number | bigint;
  delinquent: boolean;
  credits: number;
  epochCredits: number;
  lastVote: number;
  rootSlot: number;
}

interface GossipNode {
  identityPubkey: string;
  ipAddress: string;
  gossipPort: number;
  version: string;
}

function ofNode(epochInfo: object): Results {
  return {
    getGenesisHash: JSON.stringify(GENESIS_HASHES.testnet),
    getHealth: '"ok"',
    getEpochInfo: JSON.stringify(epochInfo),
  };
}

function toVersions(nodes: { pubkey: string; version: string | null }[]): Map<string, string> {
  return new Map(nodes.flatMap(({ pubkey, version }) => (version === null ? [] : [[pubkey, version]])));
}

function readRecorded(file: string): Promise<string> {
  return readFile(new URL(file, RECORDED), "utf8");
}

/** The text of an envelope's result, as it is. */
async function resultOf(file: string): Promise<string> {
  const text = await readRecorded(file);
  const begin = text.indexOf('"result":') + '"result":'.length;
  return text.slice(begin, text.lastIndexOf(',"id"'));
}

/** Integers beyond 2^53 as bigint, found in the text before it is parsed: not the way the generator does it. */
function parseExact(text: string): unknown {
  const marked = text.replaceAll(/(:\s*)(\d{16,})(?=[,}\s])/g, '$1"lamports $2"');
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith("lamports ") ? BigInt(value.slice("lamports ".length)) : value,
  );
}
