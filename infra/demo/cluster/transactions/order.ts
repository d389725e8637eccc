import type { Keypair } from "../signing/keypair.ts";
import type { Instruction, LookupTable } from "../signing/message.ts";

/** Why a transaction failed: the place of the instruction at fault, and the number that its program gave. */
export type Failure = { InstructionError: [place: number, reason: { Custom: number }] };

/** A transaction of the story before it is signed. */
export interface Order {
  slot: number;
  /** Its place in the block. */
  index: number;
  payer: Keypair;
  /** Everybody who signs, the payer included. */
  keypairs: readonly Keypair[];
  instructions: readonly Instruction[];
  version: "legacy" | 0;
  /** Only with version 0; null: none. */
  table: LookupTable | null;
  /** null: it took effect. */
  failure: Failure | null;
  /** What a program carried out by others; null: nothing. */
  inner: { place: number; instructions: readonly Instruction[] } | null;
}
