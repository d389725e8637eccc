import { decodePublicKey } from "../../generator/chain/public-key.ts";
import type { Keypair } from "./keys.ts";

/** An account that an instruction names. */
export interface AccountMeta {
  address: string;
  isSigner: boolean;
  isWritable: boolean;
}

/** What a program is told to do, to which accounts. */
export interface Instruction {
  program: string;
  accounts: AccountMeta[];
  data: Uint8Array;
}

export interface MessageOptions {
  /** Pays the fee, and is the first signer. */
  payer: string;
  instructions: readonly Instruction[];
  /** Base58; the transaction must land within 150 blocks of it. */
  blockhash: string;
  /** 0: versioned. */
  version?: "legacy" | 0;
  /** Of a versioned one: where the addresses stand that are not to stand in it. No signer and no program can be among them. */
  lookups?: readonly Lookup[];
}

/** A table on chain, and which of its addresses are taken for what. */
export interface Lookup {
  table: string;
  writable: readonly TableEntry[];
  readonly: readonly TableEntry[];
}

export interface TableEntry {
  place: number;
  address: string;
}

/** A message as it is signed, and whose signatures it needs, in their order. */
export interface Message {
  bytes: Uint8Array;
  signers: string[];
}

export const writable = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: true });
export const readonly = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: false });
export const signer = (address: string): AccountMeta => ({ address, isSigner: true, isWritable: false });
export const writableSigner = (address: string): AccountMeta => ({ address, isSigner: true, isWritable: true });

/** A version stands before the header, marked by the highest bit, which no count of signatures has. */
const VERSION_MARK = 0x80;

/** Puts instructions together: each account once, ordered by what is done with it, and named by its place. */
export function compileMessage(options: MessageOptions): Message {
  const { payer, instructions, blockhash, version = "legacy", lookups = [] } = options;
  const loaded = listLoaded(lookups);
  const accounts = orderAccounts(payer, instructions).filter(({ address }) => !loaded.includes(address));
  const named = [...accounts.map(({ address }) => address), ...loaded];
  const places = new Map(named.map((address, place) => [address, place]));
  const placeOf = (address: string) => places.get(address) ?? 0;
  const signers = accounts.filter(({ isSigner }) => isSigner);
  const bytes = Buffer.concat([
    ...(version === "legacy" ? [] : [Uint8Array.of(VERSION_MARK | version)]),
    Uint8Array.of(signers.length, countReadonly(signers), countReadonly(accounts) - countReadonly(signers)),
    toVector(accounts.map(({ address }) => decodePublicKey(address))),
    decodePublicKey(blockhash),
    toVector(instructions.map((instruction) => compileInstruction(instruction, placeOf))),
    ...(version === "legacy" ? [] : [toVector(lookups.map(encodeLookup))]),
  ]);
  return { bytes, signers: signers.map(({ address }) => address) };
}

/** What is taken from tables, in the order in which it follows the keys of the message. */
export function listLoaded(lookups: readonly Lookup[]): string[] {
  const entries = [...lookups.flatMap(({ writable }) => writable), ...lookups.flatMap(({ readonly }) => readonly)];
  return entries.map(({ address }) => address);
}

/** Signs a message for all who must. @throws {Error} that names a signer whose key is not there */
export function signMessage({ bytes, signers }: Message, keys: readonly Keypair[]): Uint8Array {
  const signatures = signers.map((address) => {
    const key = keys.find((one) => one.address === address);
    if (key === undefined) throw new Error(`The transaction needs the signature of ${address}: give its key too`);
    return key.sign(bytes);
  });
  return Buffer.concat([toVector(signatures), bytes]);
}

/** A count as Solana writes it: seven bits a byte, lowest first, the highest bit where another byte follows. */
export function toCompact(count: number): Uint8Array {
  const bytes: number[] = [];
  let left = count;
  for (; left > 0x7f; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Uint8Array.of(...bytes, left);
}

/** Writable signers, other signers, writable others, the rest; the payer first of all. */
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

function compileInstruction({ program, accounts, data }: Instruction, placeOf: (address: string) => number) {
  const places = Uint8Array.from(accounts, ({ address }) => placeOf(address));
  return Buffer.concat([
    Uint8Array.of(placeOf(program)),
    toCompact(places.length),
    places,
    toCompact(data.length),
    data,
  ]);
}

function encodeLookup({ table, writable, readonly }: Lookup): Uint8Array {
  const places = (entries: readonly TableEntry[]) => toVector(entries.map(({ place }) => Uint8Array.of(place)));
  return Buffer.concat([decodePublicKey(table), places(writable), places(readonly)]);
}

function countReadonly(accounts: readonly AccountMeta[]): number {
  return accounts.filter(({ isWritable }) => !isWritable).length;
}

function toVector(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([toCompact(parts.length), ...parts]);
}
