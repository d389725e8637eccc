import type { Authority, ValidatorRecord } from "./records.ts";
import type { Panel } from "./witnesses.ts";

/*
 * Who may change the commission of a vote account: its withdraw authority, as a majority of the witnesses read it in the
 * account, or as a proved transaction handed it over. Anybody can sign with a key of their own: a signature says something
 * only if its key held the authority at that slot.
 */

/** What one witness reads as the withdraw authority at a slot. */
interface AuthorityWord {
  witness: number;
  key: string;
  slot: number;
}

/** Takes in what a witness reads. */
export function hearAuthority({ authorityWords }: ValidatorRecord, { witness, key, slot }: AuthorityWord): void {
  const held = authorityWords[witness] ?? null;
  if (held === null) authorityWords[witness] = { key, slot };
  else if (held.slot <= slot) {
    held.key = key;
    held.slot = slot;
  }
}

/** Holds the authority that a majority reads. @returns whether another key holds it now */
export function agreeOnAuthority({ authorities, authorityWords }: ValidatorRecord, panel: Panel): boolean {
  const agreed = findAgreed(authorityWords, panel);
  if (agreed === null) return false;
  const { key, slot } = agreed;
  const last = authorities.at(-1);
  if (last?.key === key) {
    last.to = Math.max(last.to, slot);
    return false;
  }
  if (last !== undefined && slot <= last.to) return false;
  authorities.push({ key, from: findFirst(authorityWords, panel, key) ?? slot, to: slot, covered: [] });
  return true;
}

/** One of those who say so up to this slot is honest: who lies may date it back, and shut out the one before. */
function findFirst(words: ValidatorRecord["authorityWords"], { witnesses, liarsMost }: Panel, key: string) {
  const slots = witnesses.flatMap((witness) => (words[witness]?.key === key ? [words[witness].slot] : []));
  return slots.sort((a, b) => a - b)[liarsMost];
}

/**
 * The key that a majority has read, with the newest slot by which it had. Counted without lists of its own: each snapshot
 * asks it of each validator.
 */
function findAgreed(words: ValidatorRecord["authorityWords"], { witnesses, majority }: Panel) {
  let agreed: { key: string; slot: number } | null = null;
  for (const witness of witnesses) {
    const word = words[witness];
    if (word === undefined || word === null || (agreed !== null && word.slot <= agreed.slot)) continue;
    let count = 0;
    for (const other of witnesses) {
      const told = words[other];
      if (told?.key === word.key && told.slot >= word.slot) count += 1;
    }
    if (count >= majority) agreed = word;
  }
  return agreed;
}

/** Whether a key held the authority at a slot, as far as is known: between two that are known it may have been either. */
export function isAuthority({ authorities }: ValidatorRecord, key: string, slot: number): boolean {
  return authorities.some((authority, index) => {
    if (authority.key !== key) return false;
    const { after, before } = boundsOf(authorities, index);
    return slot >= after && slot <= before;
  });
}

/** The authorities that may have changed something in the slots after one and up to another, with the slots that are theirs. */
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

/** A proved transaction handed the authority over at a slot. @returns whether that was not known yet */
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
  else before.to = Math.max(before.to, slot);
  if (after?.key === to) after.from = slot;
  else inserted.push({ key: to, from: slot, to: slot, covered: [] });
  authorities.splice(place, 0, ...inserted);
  return true;
}

/** First and last slot at which one of the authorities may have been the one: from the last known of the one before it, to the first of the next. */
function boundsOf(authorities: readonly Authority[], index: number): { after: number; before: number } {
  return { after: authorities[index - 1]?.to ?? 0, before: authorities[index + 1]?.from ?? Infinity };
}
