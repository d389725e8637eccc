import type { Instruction } from "../../cluster/transactions/message.ts";
import {
  authorizeWithdrawer,
  SYSTEM_PROGRAM,
  transfer,
} from "../../cluster/transactions/programs.ts";
import { withdrawFromVoteAccount } from "../../integration/validator/vote-program.ts";
import { createChain, type ChainOrder, type Chain, type Deed } from "./chain.ts";
import { rateAt, timeOf, valueAt, type Cluster, type Validator } from "./cluster.ts";
import type { Dice } from "../random.ts";
import { keypairAt, signerOf } from "./keys.ts";
import { orderOf, orderInside, orderLookedUp, setRate, type Place } from "./vote-transactions.ts";

interface Span {
  from: number;
  to: number;
}

interface Act {
  slot: number;
  validator: Validator;
  authority: string;
  /** Basis points; null: unchanged. */
  rate: number | null;
  handsTo: string | null;
  isClosing: boolean;
}

type Put = (slot: number, make: (place: Place) => ChainOrder) => void;

const isSigning = (authority: string) => keypairAt(authority) !== null;

export function drawChain(dice: Dice, cluster: Cluster, span: Span): Chain {
  const orders: ChainOrder[] = [];
  const places = new Map<number, number>();
  const put: Put = (slot, make) => {
    const index = (places.get(slot) ?? dice.between(0, 5)) + dice.between(1, 3);
    places.set(slot, index);
    const blockTime = Math.floor(timeOf(cluster, slot) / 1000);
    orders.push(make({ slot, index, blockTime, nonce: `${slot} ${index}` }));
  };
  const acts = cluster.validators.flatMap(findActs).sort((a, b) => a.slot - b.slot);
  for (const own of Map.groupBy(acts, ({ slot, authority }) => `${slot} ${authority}`).values()) {
    const isOne = dice.chance(60);
    if (isOne) make(dice, put, own);
    else for (const act of own) make(dice, put, [act]);
  }
  for (const validator of cluster.validators) drawFutile(dice, put, { validator, span });
  drawOther(dice, put, { cluster, span });
  return createChain(orders);
}

/** What happened after the account was opened: reopening needs no signature of the authority. */
function findActs(validator: Validator): Act[] {
  const { rates, authorities } = validator;
  const born = rates[0]?.slot ?? 0;
  const slots = new Set(
    [...rates, ...authorities].map(({ slot }) => slot).filter((slot) => slot > born),
  );
  return [...slots].flatMap((slot): Act[] => {
    const [before, after] = [rateAt(validator, slot - 1), rateAt(validator, slot)];
    const [authority, next] = [valueAt(authorities, slot - 1), valueAt(authorities, slot)];
    if (authority === null || before === null) return [];
    const rate = after === before ? null : after;
    return [
      {
        slot,
        validator,
        authority,
        rate,
        handsTo: next === authority ? null : next,
        isClosing: after === null,
      },
    ];
  });
}

function make(dice: Dice, put: Put, acts: readonly Act[]): void {
  const [act, ...others] = acts;
  if (act === undefined) return;
  const { slot, authority, validator, rate } = act;
  if (others.length === 0 && rate !== null && isSigning(authority)) {
    if (dice.chance(12))
      put(slot, (place) =>
        toOrder(place, [toPart(dice, { ...act, handsTo: null, rate: drawRate(dice) })]),
      );
    if (act.handsTo === null && dice.chance(10)) {
      const change = toSetRate(dice, validator, authority, rate);
      const deed = { ...toDeed(validator, authority, [rate]), isSigned: false };
      put(slot, (place) => orderLookedUp(place, change, deed));
      return;
    }
  }
  const toParts = () => acts.map((one) => toPart(dice, one));
  put(slot, (place) => toOrder(place, toParts()));
}

interface Part {
  authority: string;
  instructions: Instruction[];
  deed: Deed;
}

function toPart(dice: Dice, { validator, authority, rate, handsTo, isClosing }: Act): Part {
  const { vote } = validator;
  if (isClosing) {
    const withdrawal = { vote, to: SYSTEM_PROGRAM, withdrawer: authority, lamports: 1_000_000n };
    const deed = { ...toDeed(validator, authority, []), handsTo, isSigned: true };
    return { authority, instructions: [withdrawFromVoteAccount(withdrawal)], deed };
  }
  const rates =
    rate === null ? [] : [...(dice.chance(12) ? [drawRate(dice), drawRate(dice)] : []), rate];
  const handsFirst =
    handsTo !== null && isSigning(authority) && isSigning(handsTo) && dice.chance(50);
  const by = handsFirst ? handsTo : authority;
  const sets = rates.map((one) => toSetRate(dice, validator, by, one));
  const hands = handsTo === null ? [] : [authorizeWithdrawer(vote, authority, handsTo)];
  const deed = { ...toDeed(validator, by, rates), handsTo, isSigned: isSigning(authority) };
  return { authority, instructions: handsFirst ? [...hands, ...sets] : [...sets, ...hands], deed };
}

/** All parts are of one authority. */
function toOrder(place: Place, parts: readonly Part[]): ChainOrder {
  const instructions = parts.flatMap((part) => part.instructions);
  const deeds = parts.map(({ deed }) => deed);
  const authority = parts[0]?.authority ?? "";
  if (isSigning(authority)) return orderOf(place, instructions, deeds);
  return orderInside(place, authority, { changes: instructions, deeds });
}

function toSetRate(
  dice: Dice,
  { vote, layout }: Validator,
  authority: string,
  rate: number,
): Instruction {
  return setRate(
    vote,
    authority,
    rate,
    layout === "percent" || (rate % 100 === 0 && dice.chance(30)),
  );
}

function toDeed({ vote }: Validator, signer: string, rates: number[]): Deed {
  return { vote, rates, handsTo: null, signer, isSigned: isSigning(signer) };
}

/** Sets the standing rate, fails, or is somebody else's attempt. */
function drawFutile(
  dice: Dice,
  put: Put,
  { validator, span }: { validator: Validator; span: Span },
): void {
  const draw = (count: number, act: (slot: number, authority: string) => void) => {
    for (let number = 0; number < count; number++) {
      const slot = dice.between(span.from, span.to);
      const authority = valueAt(validator.authorities, slot);
      const isQuiet = [slot - 1, slot].every(
        (one) => rateAt(validator, one) === rateAt(validator, slot),
      );
      if (
        authority !== null &&
        isQuiet &&
        !validator.authorities.some((step) => step.slot === slot)
      )
        act(slot, authority);
    }
  };
  draw(dice.chance(10) ? dice.between(1, 3) : 0, (slot, authority) => {
    const rate = rateAt(validator, slot);
    if (rate === null) return;
    const instructions = [toSetRate(dice, validator, authority, rate)];
    const deed = toDeed(validator, authority, [rate]);
    put(slot, (place) => toOrder(place, [{ authority, instructions, deed }]));
  });
  draw(dice.chance(25) ? dice.between(1, 2) : 0, (slot, authority) => {
    const rate = drawRate(dice);
    const isStranger = dice.chance(30) || !isSigning(authority);
    const signer = isStranger ? signerOf("a stranger") : authority;
    const { accounts, ...instruction } = toSetRate(dice, validator, signer, rate);
    const naming = isStranger ? [{ address: authority, isSigner: false, isWritable: false }] : [];
    const attempt = { ...instruction, accounts: [...accounts, ...naming] };
    put(slot, (place) =>
      orderOf({ ...place, failed: true }, [attempt], [toDeed(validator, signer, [rate])]),
    );
  });
}

function drawOther(
  dice: Dice,
  put: Put,
  { cluster, span }: { cluster: Cluster; span: Span },
): void {
  const all = new Set(
    cluster.validators.flatMap(({ authorities }) => authorities.map(({ value }) => value)),
  );
  for (const from of [...all].filter(isSigning)) {
    if (!dice.chance(20)) continue;
    const count = dice.chance(12) ? dice.between(30, 250) : dice.between(1, 4);
    const spending = [transfer({ from, to: SYSTEM_PROGRAM, lamports: 5_000n })];
    for (let number = 0; number < count; number++)
      put(dice.between(span.from, span.to), (place) =>
        orderOf({ ...place, failed: dice.chance(10) }, spending, []),
      );
  }
}

function drawRate(dice: Dice): number {
  return dice.pick([0, 100, 500, 1_000, 5_000, 9_000, 10_000]);
}
