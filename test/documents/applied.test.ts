import { expect, test } from "vitest";
import { appliedBasisPoints } from "../../generator/documents/applied.ts";
import type { Network } from "../../generator/contract/networks.ts";

/** The commission at the end of an epoch is the epoch's own number, so that an answer tells where it was read. */
const readFrom = (question: {
  network?: Network;
  series?: number;
  epoch: number;
  isNew?: boolean;
  firstEpoch?: number;
}) =>
  appliedBasisPoints({
    cluster: { network: question.network ?? "mainnet", series: question.series ?? 1 },
    record: { isNew: question.isNew ?? false, firstEpoch: question.firstEpoch ?? 900 },
    announcedAt: (epoch) => (epoch >= (question.firstEpoch ?? 900) ? epoch : null),
    epoch: question.epoch,
  });

test("rewards pay the commission at the end of the epoch before the last", () => {
  expect(readFrom({ epoch: 1100 })).toBe(1098);
});

test("before commissions were delayed, rewards paid the commission of their own epoch", () => {
  expect(readFrom({ epoch: 990 })).toBe(990);
  expect(readFrom({ epoch: 991 })).toBe(989);
  expect(readFrom({ network: "testnet", epoch: 953 })).toBe(953);
  expect(readFrom({ network: "testnet", epoch: 954 })).toBe(952);
});

test("in a later life of a cluster commissions are delayed from its first epoch", () => {
  expect(readFrom({ network: "testnet", series: 2, epoch: 100, firstEpoch: 0 })).toBe(98);
});

test("on alpenglow commissions were delayed from its first epoch", () => {
  expect(readFrom({ network: "alpenglow", epoch: 5, firstEpoch: 0 })).toBe(3);
});

test("a new vote account pays by its first rate until it has a past", () => {
  const account = { isNew: true, firstEpoch: 1100 };
  expect([1100, 1101, 1102, 1103].map((epoch) => readFrom({ ...account, epoch }))).toEqual([1100, 1100, 1100, 1101]);
});

test("what was before the tracking began is not known", () => {
  expect([1100, 1101, 1102].map((epoch) => readFrom({ firstEpoch: 1100, epoch }))).toEqual([null, null, 1100]);
});
