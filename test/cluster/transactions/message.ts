import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { base58 } from "@scure/base";
import { decodePublicKey, encodePublicKey } from "../../../generator/chain/public-key.ts";
import {
  attachSignatures,
  layOutMessage,
  type TransactionConfig,
  type Version,
} from "./message-layout.ts";

interface AccountMeta {
  address: string;
  isSigner: boolean;
  isWritable: boolean;
}

export interface Instruction {
  program: string;
  accounts: AccountMeta[];
  data: Uint8Array;
}

interface MessageOptions {
  payer: string;
  instructions: readonly Instruction[];
  /** At most 150 blocks old. */
  blockhash: string;
  version?: Version;
  /** Of version 0. Never a signer or a program. */
  lookups?: readonly Lookup[];
  /** Of version 0. Looks up all its named addresses, except signers and programs. */
  table?: LookupTable;
  /** Of version 1. */
  config?: TransactionConfig;
}

export interface Lookup {
  table: string;
  writable: readonly TableEntry[];
  readonly: readonly TableEntry[];
}

interface TableEntry {
  place: number;
  address: string;
}

export interface LookupTable {
  address: string;
  listed: readonly string[];
}

export interface Message {
  version: Version;
  bytes: Uint8Array;
  signers: string[];
  /** In the order that instructions refer to. */
  accounts: string[];
  /** Looked-up keys follow, writable ones first. */
  loaded: { writable: string[]; readonly: string[] };
}

export const writable = (address: string): AccountMeta => ({
  address,
  isSigner: false,
  isWritable: true,
});
export const readonly = (address: string): AccountMeta => ({
  address,
  isSigner: false,
  isWritable: false,
});
export const signer = (address: string): AccountMeta => ({
  address,
  isSigner: true,
  isWritable: false,
});
export const writableSigner = (address: string): AccountMeta => ({
  address,
  isSigner: true,
  isWritable: true,
});

export function compileMessage(options: MessageOptions): Message {
  const { payer, instructions, blockhash, version = "legacy", table, config = {} } = options;
  const ordered = orderAccounts(payer, instructions);
  const lookups = options.lookups ?? (table === undefined ? [] : [toLookup(table, ordered)]);
  const loaded = listLoaded(lookups);
  const accounts = ordered.filter(({ address }) => !loaded.includes(address));
  const named = [...toAddresses(accounts), ...loaded];
  const places = new Map(named.map((address, place) => [address, place]));
  const placeOf = (address: string) => places.get(address) ?? 0;
  const signers = accounts.filter(({ isSigner }) => isSigner);
  const bytes = layOutMessage(version, {
    header: Uint8Array.of(
      signers.length,
      countReadonly(signers),
      countReadonly(accounts) - countReadonly(signers),
    ),
    keys: accounts.map(({ address }) => decodePublicKey(address)),
    blockhash: decodePublicKey(blockhash),
    instructions: instructions.map(({ program, accounts: own, data }) => ({
      program: placeOf(program),
      accounts: Uint8Array.from(own, ({ address }) => placeOf(address)),
      data,
    })),
    lookups: lookups.map(({ table: one, writable, readonly }) => ({
      table: decodePublicKey(one),
      writable: toPlaces(writable),
      readonly: toPlaces(readonly),
    })),
    config,
  });
  return {
    version,
    bytes,
    signers: toAddresses(signers),
    accounts: toAddresses(accounts),
    loaded: {
      writable: lookups.flatMap(({ writable }) => toAddresses(writable)),
      readonly: lookups.flatMap(({ readonly }) => toAddresses(readonly)),
    },
  };
}

export function listLoaded(lookups: readonly Lookup[]): string[] {
  const entries = [
    ...lookups.flatMap(({ writable }) => writable),
    ...lookups.flatMap(({ readonly }) => readonly),
  ];
  return toAddresses(entries);
}

export interface Signed {
  /** The first one in Base58: the transaction's name. */
  signature: string;
  /** 64 bytes each. */
  signatures: Uint8Array[];
  /** The whole transaction. */
  bytes: Uint8Array;
}

/** @throws {Error} when a signer has no key */
export function signMessage(message: Message, keys: readonly Keypair[]): Signed {
  const signatures = message.signers.map((address) => {
    const key = keys.find((one) => one.address === address);
    if (key === undefined)
      throw new Error(`The transaction needs the signature of ${address}: give its key too`);
    return key.sign(message.bytes);
  });
  const [first = new Uint8Array()] = signatures;
  return {
    signature: base58.encode(first),
    signatures,
    bytes: attachSignatures(message, signatures),
  };
}

/** Writable signers, signers, writable, the rest. */
function orderAccounts(payer: string, instructions: readonly Instruction[]): AccountMeta[] {
  const merged = new Map<string, AccountMeta>();
  const named = [
    writableSigner(payer),
    ...instructions.flatMap(({ accounts, program }) => [...accounts, readonly(program)]),
  ];
  for (const { address, isSigner, isWritable } of named) {
    const known = merged.get(address);
    merged.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    });
  }
  const rank = ({ isSigner, isWritable }: AccountMeta) => (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
  return [...merged.values()].sort((one, other) => rank(one) - rank(other));
}

function toLookup(
  { address: table, listed }: LookupTable,
  accounts: readonly AccountMeta[],
): Lookup {
  const looked = accounts.filter(({ address }) => listed.includes(address));
  const toEntries = (isWritable: boolean) =>
    looked
      .filter((account) => account.isWritable === isWritable)
      .map(({ address }) => ({ place: listed.indexOf(address), address }));
  return { table, writable: toEntries(true), readonly: toEntries(false) };
}

function toPlaces(entries: readonly TableEntry[]): Uint8Array {
  return Uint8Array.from(entries, ({ place }) => place);
}

function toAddresses(accounts: readonly { address: string }[]): string[] {
  return accounts.map(({ address }) => address);
}

function countReadonly(accounts: readonly AccountMeta[]): number {
  return accounts.filter(({ isWritable }) => !isWritable).length;
}

/** ed25519. */
export interface Keypair {
  bytes: Uint8Array;
  address: string;
  sign(message: Uint8Array): Uint8Array;
}

export const SEED_BYTES = 32;

/** PKCS #8 header of an ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed the private key */
export function toKeypair(seed: Uint8Array): Keypair {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: "der",
    type: "pkcs8",
  });
  const bytes = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-SEED_BYTES);
  return { bytes, address: encodePublicKey(bytes), sign: (message) => sign(null, message, key) };
}

export type Failure = { InstructionError: [place: number, reason: { Custom: number } | string] };

export interface Order {
  slot: number;
  index: number;
  payer: Keypair;
  keypairs: readonly Keypair[];
  instructions: readonly Instruction[];
  version: Version;
  /** Version 0 only. */
  table: LookupTable | null;
  /** Version 1 only. */
  config: TransactionConfig | null;
  failure: Failure | null;
  /** Executed by another instruction. */
  inner: { place: number; instructions: readonly Instruction[] } | null;
}
