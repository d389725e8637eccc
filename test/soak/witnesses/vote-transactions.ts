import { base58 } from "@scure/base";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import {
  address,
  layOut,
  u32,
  CLOCK,
  SYSTEM_PROGRAM,
  updateCommission,
  updateCommissionBasisPoints,
  transfer,
} from "../../../infra/demo/cluster/transactions/programs.ts";
import {
  compileMessage,
  type Instruction,
  readonly,
  signer,
  signMessage,
  toCompact,
  writable,
} from "../../../infra/demo/cluster/transactions/message.ts";
import { once, toSigned, type Carried, type Deed, type InnerGroup } from "./chain.ts";
import { keyOf, keypairAt, signerOf } from "./keys.ts";

const AUTHORIZE = 1;
const WITHDRAWER = 1;
const MULTISIG_PROGRAM = keyOf("a multisig program");
const TABLE = keyOf("a look-up table");

export interface Place {
  slot: number;
  index: number;
  /** Seconds since 1970. */
  blockTime: number;
  /** Distinguishes equal transactions. */
  nonce: string;
  failed?: boolean;
}

export function setRate(vote: string, authority: string, rate: number, isInPercent: boolean): Instruction {
  return isInPercent
    ? updateCommission(vote, authority, rate / 100)
    : updateCommissionBasisPoints(vote, authority, rate);
}

export function handOver(vote: string, authority: string, to: string): Instruction {
  const data = layOut(u32(AUTHORIZE), address(to), u32(WITHDRAWER));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), readonly(CLOCK), signer(authority)], data };
}

export function spend(authority: string): Instruction {
  return transfer({ from: authority, to: SYSTEM_PROGRAM, lamports: 5_000n });
}

export function carryOut(place: Place, instructions: readonly Instruction[], deeds: readonly Deed[]): Carried {
  const payer = signerOf("who pays");
  const sign = once(() => {
    const blockhash = keyOf(place.nonce);
    const message = compileMessage({ payer, instructions, blockhash });
    return toSigned(
      signMessage(
        message,
        message.signers.flatMap((one) => keypairAt(one) ?? []),
      ),
    );
  });
  const named = instructions.flatMap(({ accounts, program }) => [...accounts.map((one) => one.address), program]);
  return toCarried(place, { addresses: [payer, ...named], deeds, sign, inner: [], loaded: [] });
}

/** A program signs for its address: the change is an inner instruction. */
export function carryOutInside(
  place: Place,
  { authority, changes }: { authority: string; changes: readonly Instruction[] },
  deeds: readonly Deed[],
): Carried {
  const payer = signerOf("who pays");
  const votes = [...new Set(changes.flatMap(({ accounts }) => accounts.map((one) => one.address)))];
  const outer: Instruction = {
    program: MULTISIG_PROGRAM,
    accounts: [...votes.filter((one) => one !== authority).map(writable), readonly(authority), readonly(VOTE_PROGRAM)],
    data: Uint8Array.of(1),
  };
  const { message, keys } = compileWithKeys(payer, [outer], place.nonce);
  const inner = changes.map((change) => toInner(keys, change));
  const sign = once(() =>
    toSigned(
      signMessage(
        message,
        [keypairAt(payer)].flatMap((one) => one ?? []),
      ),
    ),
  );
  return toCarried(place, { addresses: keys, deeds, sign, inner: [{ index: 0, instructions: inner }], loaded: [] });
}

/** The vote account comes from a look-up table: the message does not name it. */
export function carryOutLookedUp(
  place: Place,
  { authority, vote, change }: { authority: string; vote: string; change: Instruction },
  deeds: readonly Deed[],
): Carried {
  const payer = signerOf("who pays");
  const keys = [payer, authority, VOTE_PROGRAM];
  const sign = once(() => {
    const instruction = [
      Uint8Array.of(2),
      toCompact(2),
      Uint8Array.of(3, 1),
      toCompact(change.data.length),
      change.data,
    ];
    const table = [toCompact(1), decodePublicKey(TABLE), toCompact(1), Uint8Array.of(0), toCompact(0)];
    const bytes = Buffer.concat([
      Uint8Array.of(0x80, 2, 1, 1),
      toCompact(keys.length),
      ...keys.map(decodePublicKey),
      decodePublicKey(keyOf(place.nonce)),
      ...[toCompact(1), ...instruction],
      ...table,
    ]);
    const signers = [payer, authority];
    return toSigned(
      signMessage(
        { bytes, signers },
        signers.flatMap((one) => keypairAt(one) ?? []),
      ),
    );
  });
  return toCarried(place, { addresses: [...keys, vote], deeds, sign, inner: [], loaded: [vote] });
}

export function toInner(
  keys: readonly string[],
  { program, accounts, data }: Instruction,
): InnerGroup["instructions"][0] {
  const placeOf = (key: string) => Math.max(0, keys.indexOf(key));
  return {
    programIdIndex: placeOf(program),
    accounts: accounts.map((one) => placeOf(one.address)),
    data: base58.encode(data),
  };
}

function compileWithKeys(payer: string, instructions: readonly Instruction[], nonce: string) {
  const message = compileMessage({ payer, instructions, blockhash: keyOf(nonce) });
  const count = message.bytes[3] ?? 0;
  const keys = Array.from({ length: count }, (_, index) =>
    base58.encode(message.bytes.subarray(4 + index * 32, 36 + index * 32)),
  );
  return { message, keys };
}

function toCarried(
  { slot, index, blockTime, failed = false }: Place,
  parts: Pick<Carried, "inner" | "loaded" | "sign"> & { addresses: readonly string[]; deeds: readonly Deed[] },
): Carried {
  const { inner, loaded, sign } = parts;
  const addresses = [...new Set(parts.addresses)];
  return { slot, index, blockTime, failed, inner, loaded, sign, addresses, deeds: [...parts.deeds] };
}
