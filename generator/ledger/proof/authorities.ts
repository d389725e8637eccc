import type { AgreedAuthorities, AgreedAuthority } from "../../agree/authorities.ts";
import {
  hasStood,
  REPEAT_MILLISECONDS,
  OUTDATED_MILLISECONDS,
  OUTDATED_SLOTS,
  waitsForOther,
} from "../belief.ts";
import type { Authority, Proof, ValidatorRecord } from "../records.ts";
import { findValidator, type Step } from "../step.ts";

/*
 * Anybody can sign a transaction with a key of their own, so a signature counts only if its key
 * was the withdraw authority at that slot.
 */

/** Each vote account's withdraw authority, as a majority reads it. */
export function foldAuthorities(step: Step, { panelSize, agreed }: AgreedAuthorities): void {
  for (const one of agreed) {
    const found = findValidator(step.ledger, one.vote);
    if (found === null || waitsForOther(step.ledger, one.isAlone, step.moment.time)) continue;
    if (learn(found.validator, one, { now: step.moment.time, panelSize }))
      step.touched.profiles.add(found.validatorIndex);
  }
}

/**
 * Returns whether it is another one. The return of a
 * former key needs two observations two minutes apart.
 */
function learn(
  validator: ValidatorRecord,
  { key, from, until }: AgreedAuthority,
  { now, panelSize }: { now: string; panelSize: number },
): boolean {
  const { authorities, nextAuthority } = validator;
  const last = authorities.at(-1);
  if (last?.key === key) {
    last.to = Math.max(last.to, until);
    validator.nextAuthority = null;
    return false;
  }
  if (last !== undefined && until <= last.to) return false;
  const next = nextAuthority?.key === key ? nextAuthority : { key, from, since: now };
  validator.nextAuthority = next;
  const isFormer = authorities.some((authority) => authority.key === key);
  const ofWitness = panelSize === 1 && last !== undefined ? REPEAT_MILLISECONDS : 0;
  if (!hasStood(next.since, now, isFormer ? OUTDATED_MILLISECONDS : ofWitness)) return false;
  validator.nextAuthority = null;
  authorities.push({ key, from: next.from, to: until, covered: [] });
  return true;
}

/**
 * Whether a key may have been the withdraw authority at a slot. Between the slots of two known
 * authorities either one may have been.
 */
export function isAuthority({ authorities }: ValidatorRecord, key: string, slot: number): boolean {
  return authorities.some((authority, index) => {
    if (authority.key !== key) return false;
    const { after, before } = boundsOf(authorities, index);
    return slot >= after && slot <= before;
  });
}

/**
 * The slot after which every withdraw authority is known, as the first one was read or signed a
 * change; Infinity: none is known. Before it another key may have signed changes and handed over,
 * which the first one's transactions do not show.
 */
export function authoritiesKnownAfter({
  authorities,
  rateProofs,
  accountChanges,
}: ValidatorRecord): number {
  const [first] = authorities;
  if (first === undefined) return Infinity;
  const isOwn = ({ signer }: Proof) => signer === first.key;
  const signed = [
    rateProofs.find((proof) => isOwn(proof) && !proof.isDisputed),
    accountChanges.find(isOwn),
  ];
  return Math.min(first.from, ...signed.map((proof) => (proof?.slot ?? Infinity) - 1));
}

/** Slot of the accounts that first showed an authority; 0: none did, or it had signed before. */
export function firstReadAt(validator: ValidatorRecord): number {
  const after = authoritiesKnownAfter(validator);
  return after === validator.authorities[0]?.from ? after : 0;
}

/**
 * The withdraw authorities that may have been in force in a span of slots, each with its part
 * of the span. Parts of neighbours overlap where the slot of the handover is unknown.
 */
export function authoritiesWithin(
  { authorities }: ValidatorRecord,
  { after, upTo }: { after: number; upTo: number },
): { authority: Authority; after: number; upTo: number }[] {
  return authorities.flatMap((authority, index) => {
    const own = boundsOf(authorities, index);
    const span = {
      authority,
      after: Math.max(after, own.after - 1),
      upTo: Math.min(upTo, own.before),
    };
    return span.after < span.upTo ? [span] : [];
  });
}

/** Records the handover that a transaction proves. Returns whether it was new. */
export function handOver(
  validator: ValidatorRecord,
  { slot, by, to }: { slot: number; by: string; to: string },
): boolean {
  const { authorities } = validator;
  const next = authorities.findIndex(({ from }) => from > slot);
  const index = next === -1 ? authorities.length : next;
  const [before, after] = [authorities[index - 1], authorities[index]];
  if (before?.key === to) return false;
  const inserted: Authority[] = [];
  const returned = before === undefined ? [] : returnOf(before, slot);
  if (before === undefined) inserted.push({ key: by, from: slot, to: slot, covered: [] });
  else before.to = slot;
  if (after?.key === to && returned.length === 0) after.from = slot;
  else inserted.push({ key: to, from: slot, to: slot, covered: [] });
  authorities.splice(index, 0, ...inserted, ...returned);
  return true;
}

/** Just after the handover readings may be outdated; what they show long after has come back. */
function returnOf({ key, to, covered }: Authority, handedOver: number): Authority[] {
  return to > handedOver + OUTDATED_SLOTS ? [{ key, from: to, to, covered: [...covered] }] : [];
}

function boundsOf(
  authorities: readonly Authority[],
  index: number,
): { after: number; before: number } {
  return {
    after: authorities[index - 1]?.to ?? 0,
    before: authorities[index + 1]?.from ?? Infinity,
  };
}
