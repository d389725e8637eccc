import { createPublicKey, verify } from "node:crypto";
import { viewOf } from "../../../infra/demo/cluster/rpc/endpoints.ts";
import type { EndpointName } from "../../../infra/demo/cluster/options.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { answerRpc } from "../../../infra/demo/cluster/rpc/rpc.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { base58 } from "@scure/base";

/** A row of getSignaturesForAddress. */
export interface SignatureRow {
  signature: string;
  slot: number;
  err: unknown;
  memo: string | null;
  blockTime: number;
  confirmationStatus: string;
  transactionIndex?: number;
}

/** An answer of getTransaction. */
export interface TransactionReply {
  slot: number;
  blockTime: number;
  transaction: [bytes: string, encoding: string];
  transactionIndex?: number;
  version?: "legacy" | number;
  meta: {
    err: unknown;
    fee: number;
    loadedAddresses: { writable: string[]; readonly: string[] };
    innerInstructions: {
      index: number;
      instructions: { accounts: number[]; data: string; programIdIndex: number; stackHeight: number }[];
    }[];
  };
}

export interface ReadInstruction {
  program: string;
  accounts: string[];
  data: Buffer;
}

export interface ReadTransaction {
  signatures: Uint8Array[];
  /** Keys that signed, in the order of the signatures. */
  signers: string[];
  keys: string[];
  instructions: ReadInstruction[];
  inner: ReadInstruction[];
  message: Buffer;
}

export interface Reply<Result> {
  result: Result;
  error?: { code: number; message: string; data?: unknown };
}

/** Asks an endpoint of a cluster at a time of the story, without a server. */
export function callAt<Result>(
  cluster: Cluster,
  question: { at: number; endpoint?: EndpointName; method: string; params?: unknown[] },
): Reply<Result> {
  const { at, endpoint = "second", method, params = [] } = question;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return JSON.parse(Buffer.concat(answerRpc(viewOf(cluster, endpoint, at), body)).toString()) as Reply<Result>;
}

/** Reads a transaction by the format alone, written down a second time on purpose. */
export function readTransaction({ transaction: [text], meta }: TransactionReply): ReadTransaction {
  const bytes = Buffer.from(text, "base64");
  let offset = 0;
  const byte = () => bytes.readUInt8(offset++);
  const take = (count: number) => bytes.subarray(offset, (offset += count));
  const compact = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
  };
  const many = <Value>(read: () => Value) => Array.from({ length: compact() }, read);

  const signatures = many(() => Uint8Array.from(take(64)));
  const message = bytes.subarray(offset);
  const isVersioned = (bytes[offset] ?? 0) >= 0x80;
  if (isVersioned) byte();
  const signerCount = byte();
  take(2);
  const keys = many(() => encodePublicKey(take(32)));
  take(32);
  const compiled = many(() => ({ program: byte(), places: many(byte), data: take(compact()) }));
  if (isVersioned) many(() => [take(32), many(byte), many(byte)]);
  if (offset !== bytes.length) throw new Error(`${bytes.length - offset} bytes are left over`);

  const all = [...keys, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
  const nameOf = (place: number) => {
    const name = all[place];
    if (name === undefined) throw new Error(`There is no account ${place}`);
    return name;
  };
  return {
    signatures,
    signers: keys.slice(0, signerCount),
    keys,
    message,
    instructions: compiled.map(({ program, places, data }) => ({
      program: nameOf(program),
      accounts: places.map(nameOf),
      data: Buffer.from(data),
    })),
    inner: meta.innerInstructions
      .flatMap(({ instructions }) => instructions)
      .map(({ programIdIndex, accounts, data }) => ({
        program: nameOf(programIdIndex),
        accounts: accounts.map(nameOf),
        data: Buffer.from(base58.decode(data)),
      })),
  };
}

/** Whether every key that must sign did, by OpenSSL. */
export function isSigned({ signatures, signers, message }: ReadTransaction): boolean {
  return (
    signatures.length === signers.length &&
    signers.length > 0 &&
    signers.every((address, place) => {
      const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), base58.decode(address)]);
      const key = createPublicKey({ key: der, format: "der", type: "spki" });
      return verify(null, message, key, signatures[place] ?? Buffer.alloc(64));
    })
  );
}
