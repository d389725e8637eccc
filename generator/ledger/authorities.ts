import { OUTDATED_MILLISECONDS } from "./outdated-accounts.ts";
import type { Authority, Moment, ValidatorRecord } from "./records.ts";
import type { Panel } from "./witnesses.ts";

/*
 * Anybody can sign with a key of their own: a signature counts only if its key was the withdraw authority at that slot.
 */

export function hearAuthority(
  { authorityWords }: ValidatorRecord,
  { witness, key, moment: { slot, time } }: { witness: number; key: string; moment: Moment },
): void {
  const held = authorityWords[witness] ?? null;
  if (held === null) authorityWords[witness] = { key, slot, time, since: time };
  else if (held.slot <= slot) {
    if (held.key !== key) held.since = time;
    held.key = key;
    held.slot = slot;
    held.time = time;
  }
}

/** By a majority. The return of a former key needs two readings two minutes apart. */
export function agreeOnAuthority({ authorities, authorityWords }: ValidatorRecord, panel: Panel): boolean {
  const last = authorities.at(-1);
  const isFormer = (key: string) => last?.key !== key && authorities.some((authority) => authority.key === key);
  const agreed = findAgreed(authorityWords, panel, isFormer);
  if (agreed === null) return false;
  const { key, slot } = agreed;
  if (last?.key === key) {
    last.to = Math.max(last.to, slot);
    return false;
  }
  if (last !== undefined && slot <= last.to) return false;
  authorities.push({ key, from: findFirst(authorityWords, panel, key) ?? slot, to: slot, covered: [] });
  return true;
}

/** The earliest slot an honest witness vouches for: a liar could backdate the key and displace its predecessor. */
function findFirst(words: ValidatorRecord["authorityWords"], { witnesses, liarsMost }: Panel, key: string) {
  const slots = witnesses.flatMap((witness) => (words[witness]?.key === key ? [words[witness].slot] : []));
  return slots.sort((a, b) => a - b)[liarsMost];
}

/** Allocates nothing: runs for each validator at each snapshot. */
function findAgreed(
  words: ValidatorRecord["authorityWords"],
  { witnesses, majority }: Panel,
  isFormer: (key: string) => boolean,
) {
  let agreed: { key: string; slot: number } | null = null;
  for (const witness of witnesses) {
    const word = words[witness];
    if (word === undefined || word === null || (agreed !== null && word.slot <= agreed.slot)) continue;
    const spanLeast = isFormer(word.key) ? OUTDATED_MILLISECONDS : 0;
    let count = 0;
    for (const other of witnesses) {
      const told = words[other];
      if (told?.key === word.key && told.slot >= word.slot && spanOf(told) >= spanLeast) count += 1;
    }
    if (count >= majority) agreed = word;
  }
  return agreed;
}

/** Milliseconds in which a witness showed nothing else. */
function spanOf({ since, time }: { since: string; time: string }): number {
  return Date.parse(time) - Date.parse(since);
}

/** Between two known authorities, either may have held. */
export function isAuthority({ authorities }: ValidatorRecord, key: string, slot: number): boolean {
  return authorities.some((authority, index) => {
    if (authority.key !== key) return false;
    const { after, before } = boundsOf(authorities, index);
    return slot >= after && slot <= before;
  });
}

export function authoritiesWithin(
  { authorities }: ValidatorRecord,
  { after, upTo }: { after: number; upTo: number },
): { authority: Authority; after: number; upTo: number }[] {
  return authorities.flatMap((authority, index) => {
    const own = boundsOf(authorities, index);
    const span = { authority, after: Math.max(after, own.after - 1), upTo: Math.min(upTo, own.before) };
    return span.after < span.upTo ? [span] : [];
  });
}

/** Of a proved Authorize. Returns whether it was new. */
export function handOver(
  validator: ValidatorRecord,
  { slot, by, to }: { slot: number; by: string; to: string },
): boolean {
  const { authorities } = validator;
  const next = authorities.findIndex(({ from }) => from > slot);
  const place = next === -1 ? authorities.length : next;
  const [before, after] = [authorities[place - 1], authorities[place]];
  if (before?.key === to) return false;
  const inserted: Authority[] = [];
  if (before === undefined) inserted.push({ key: by, from: slot, to: slot, covered: [] });
  // What readings showed after it was out of date.
  else before.to = slot;
  if (after?.key === to) after.from = slot;
  else inserted.push({ key: to, from: slot, to: slot, covered: [] });
  authorities.splice(place, 0, ...inserted);
  return true;
}

function boundsOf(authorities: readonly Authority[], index: number): { after: number; before: number } {
  return { after: authorities[index - 1]?.to ?? 0, before: authorities[index + 1]?.from ?? Infinity };
}
