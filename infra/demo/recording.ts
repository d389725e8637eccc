import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import type { Network } from "../../generator/contract/networks.ts";
import { entrySchema, type Entry } from "../../generator/entries/entry.ts";
import { ENDPOINTS, type EndpointName } from "../../test/cluster/options.ts";

/** When the recorded script starts. Milliseconds since 1970. */
export const RECORDED_FROM = Date.UTC(2026, 0, 1);

/** In the place of each endpoint's own, whose port is another one every time. */
const ORIGINS: Record<EndpointName, string> = {
  first: "https://first.example",
  second: "https://second.example",
  lagging: "https://lagging.example",
};

/** Where a recording is played. */
export interface Stage {
  /** When the script starts. Milliseconds since 1970, whole seconds after the recorded start. */
  startsAt: number;
  /** Addresses of the endpoints, in the order of `ENDPOINTS`. */
  rpcUrls: readonly string[];
}

/** An entry a line, as played on a stage that starts at `RECORDED_FROM`. */
export function toRecording(
  entries: readonly Entry[],
  rpcUrls: Stage["rpcUrls"],
): Promise<Uint8Array> {
  const lines = entries.map((entry) => `${toJson(entry)}\n`).join("");
  return promisify(zstdCompress)(
    replaceEach(lines, rpcUrls.map(originOf), Object.values(ORIGINS)),
    {
      params: {
        [constants.ZSTD_c_compressionLevel]: 19,
        [constants.ZSTD_c_windowLog]: 24,
        [constants.ZSTD_c_checksumFlag]: 1,
      },
    },
  );
}

/** The recorded entries as if played on the stage. @throws {Error} for what is no recording */
export async function fromRecording(
  recording: Uint8Array,
  { startsAt, rpcUrls }: Stage,
): Promise<Entry[]> {
  const text = (await promisify(zstdDecompress)(recording)).toString();
  return replaceEach(text, Object.values(ORIGINS), rpcUrls.map(originOf))
    .split("\n")
    .slice(0, -1)
    .map((line) => moveEntry(entrySchema.parse(JSON.parse(line)), startsAt - RECORDED_FROM));
}

/** Reads the committed recording of a network. */
export function readRecording(network: Network): Promise<Uint8Array> {
  return readFile(fileOf(network));
}

/** Replaces the committed recording of a network. */
export function writeRecording(network: Network, recording: Uint8Array): Promise<void> {
  return writeFile(fileOf(network), recording);
}

function fileOf(network: Network): URL {
  return new URL(`recordings/${network}.jsonl.zst`, import.meta.url);
}

/** Slots, keys and amounts stay as they are. */
function moveEntry(entry: Entry, milliseconds: number): Entry {
  const move = (time: string) => new Date(Date.parse(time) + milliseconds).toISOString();
  const moved = { ...entry, time: move(entry.time) };
  if (moved.kind === "snapshot" && moved.stakeAccounts.state === "ok") {
    const { value } = moved.stakeAccounts;
    moved.stakeAccounts = { state: "ok", value: { ...value, asOf: move(value.asOf) } };
  }
  if (moved.kind === "transactions")
    moved.transactions = moved.transactions.map(({ signature, answers }) => ({
      signature,
      answers: answers.map((answer) =>
        answer.state === "ok" && answer.blockTime !== null
          ? { ...answer, blockTime: answer.blockTime + milliseconds / 1000 }
          : answer,
      ),
    }));
  return moved;
}

function replaceEach(text: string, from: readonly string[], to: readonly string[]): string {
  return ENDPOINTS.reduce(
    (changed, _, place) => changed.replaceAll(from[place] ?? "", to[place] ?? ""),
    text,
  );
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function toJson(entry: Entry): string {
  return JSON.stringify(entry, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
