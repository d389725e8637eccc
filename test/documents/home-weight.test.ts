import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listEvents, listRugsPerEpoch } from "../../generator/contract/lists.ts";
import type { CostRecord } from "../../generator/ledger/stake/staking-rewards.ts";
import { documents, NEWEST } from "../../public/api/documents.ts";
import { FIRST_PAGE } from "../bench/prices.ts";
import { EPOCH, ledgerOf, MOMENT, transactionOf, type EventFacts } from "./fixtures.ts";
import { read } from "./read.ts";

const ASKED = new URL(documents.events("mainnet", NEWEST).url, "http://site").searchParams;
const FLIPPERS = 2;
const EPOCHS = 12;

/** An unsettled cost has the most fields. */
const COST: CostRecord = {
  ...{
    lamportsPerEpoch: 0n,
    per1000SolLamports: 210_921_087n,
    least: 0n,
    most: 291_837_462_511_003n,
    credits: null,
    isSettled: false,
  },
  ...{
    epoch: EPOCH,
    activeStake: 0n,
    fromBasisPoints: 500,
    toBasisPoints: 10_000,
    validatorRate: 38_495_717_478n,
  },
  ...{
    supply: 612_427_529_794_890_189n,
    setStake: 411_024_729_634_097_974n,
    slotsInEpoch: 432_000,
    slotMilliseconds: 200,
  },
};

/** Others' changes, each with its own transaction; the flippers make 44 % of all. */
function tellDense(perEpoch: number) {
  const names = Array.from(
    { length: FLIPPERS + perEpoch },
    (_, at) => `Validator ${at} & partners`,
  );
  const flips = Math.round((perEpoch * 0.44) / 0.56 / FLIPPERS / 2);
  const facts = Array.from({ length: EPOCHS }, (_, at) => EPOCH - EPOCHS + 1 + at).flatMap(
    (epoch) =>
      names.flatMap((of, place): Partial<EventFacts & { of: string }>[] => {
        if (place >= FLIPPERS)
          return [{ of, epoch, from: 500, to: 500 + 7 * place + epoch, severity: "INFO" }];
        return Array.from({ length: flips }, () => [
          { of, epoch, from: 0, to: 10_000, severity: "RUG" as const },
          { of, epoch, from: 10_000, to: 0, severity: "INFO" as const },
        ]).flat();
      }),
  );
  const events = facts.map((event, at): EventFacts => {
    const slot = (event.epoch ?? EPOCH) * 432_000 + at;
    const createdAt = new Date(Date.parse(MOMENT.time) + 61_001 * at).toISOString();
    const transaction = transactionOf(Number(event.to), {
      slot,
      signature: transactionOf(at).signature,
    });
    const activeStake = BigInt(at + 1) * 7_919_000_000_007n;
    const cost = {
      ...COST,
      activeStake,
      lamportsPerEpoch: activeStake / 1_237n,
      least: activeStake / 1_301n,
    };
    return {
      of: "",
      ...event,
      cost,
      id: `${at}-${transaction.signature.slice(0, 20)}`,
      slot,
      createdAt,
      transaction,
    };
  });
  return read(ledgerOf({ validators: names.map((name) => ({ name })), events }), "index", {});
}

// By peers' records mainnet has 7 changes an epoch, with two flippers; the demo has 60.
test.each([7, 60])(
  "the home page's documents are light where %d others change in an epoch",
  (perEpoch) => {
    const index = tellDense(perEpoch);
    const newest = listEvents(index, {
      epochs: Number(ASKED.get("epochs")),
      isCollapsed: ASKED.get("collapse") === "true",
    });
    const repeats = newest.data.filter(({ pattern }) => pattern !== null);
    expect(repeats.map(({ pattern }) => pattern?.epochs)).toEqual([EPOCHS, EPOCHS]);
    expect(newest.data.length).toBeGreaterThan(perEpoch * NEWEST.epochs);
    const asked = [newest, listRugsPerEpoch(index, { epochs: 100 })];
    const whole = asked.reduce(
      (sum, document) => sum + gzipSync(JSON.stringify(document)).length,
      0,
    );
    expect(whole).toBeLessThan(FIRST_PAGE.bytes);
  },
);
