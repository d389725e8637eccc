import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCluster } from "../../generator/demo/cluster.ts";

/** Mainnet at planning size: 1,000 validators, 1.2 million stake accounts, an answer of 370 MB. */
const PLANNING_SIZE = {
  network: "mainnet",
  seed: 1,
  validators: 1000,
  stakeAccounts: 1_200_000,
  startsAt: 0,
  firstEpoch: 1060,
  epochMilliseconds: 86_400_000,
  slotsPerEpoch: 432_000,
} as const;

const READER = fileURLToPath(new URL("stake-scan-reader.ts", import.meta.url));

export interface ReaderFigures {
  megabytesPerSecond: number;
  peakMegabytes: number;
}

/** The scan of the stake accounts as a stream of bytes, against `JSON.parse` of the same file; a process of its own each. */
export async function benchStakeScan(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-bench-"));
  try {
    const files = { answer: join(directory, "answer.json"), votes: join(directory, "votes.json") };
    await writeAnswer(files);
    const scan = await measure("scan", files);
    const parse = await measure("parse", files);
    const ratio = (scan.megabytesPerSecond / parse.megabytesPerSecond).toFixed(1);
    return `${toText(scan)}; JSON.parse of the same bytes ${toText(parse)}; ${ratio} times as fast`;
  } finally {
    await rm(directory, { recursive: true });
  }
}

interface Files {
  answer: string;
  /** The vote accounts that are asked about. */
  votes: string;
}

async function writeAnswer({ answer, votes }: Files): Promise<void> {
  const cluster = createCluster(PLANNING_SIZE);
  const { moment } = cluster.at(0);
  const rows = cluster.stakeProgram.rows(moment, { offset: 124, length: 56 }, []);
  const pieces = [
    Buffer.from('{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":['),
    ...rows,
    Buffer.from(']},"id":1}'),
  ];
  await pipeline(Readable.from(pieces), createWriteStream(answer));
  await writeFile(votes, JSON.stringify(cluster.members.map(({ vote }) => vote.address)));
}

async function measure(way: "scan" | "parse", { answer, votes }: Files): Promise<ReaderFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", READER, way, answer, votes]);
  return JSON.parse(stdout) as ReaderFigures;
}

function toText({ megabytesPerSecond, peakMegabytes }: ReaderFigures): string {
  return `${Math.round(megabytesPerSecond)} MB/s, process at most ${Math.round(peakMegabytes)} MB`;
}
