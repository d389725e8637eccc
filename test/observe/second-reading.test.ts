import { describe, expect, it } from "vitest";
import { deriveDistributionAddress, TIP_PROGRAMS } from "../../generator/observe/mev/distribution-accounts.ts";
import { EPOCH, EPOCH_INFO, SLOT, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, observe, reasonOf } from "./observing.ts";

/* Of which moment an answer is, where the endpoint says it or may have answered from several nodes. */

const votes = Array.from({ length: 101 }, (_, index) => key(index + 1));
const [first = ""] = votes;
const TIP_ADDRESS = deriveDistributionAddress({ program: TIP_PROGRAMS.mainnet!, vote: first, epoch: EPOCH });

/** Answers each call of getMultipleAccounts at the slot given for a key it asks for, else at the newest. */
const atSlots = (slots: Record<string, number>) => ({
  getMultipleAccounts: ([keys]: [string[]]) => ({
    context: { slot: keys.map((one) => slots[one]).find((slot) => slot !== undefined) ?? SLOT },
    value: keys.map((one) => (votes.includes(one) ? voteAccount(10_000) : null)),
  }),
});

describe("a second reading", () => {
  it.each<[string, Record<string, number>]>([
    ["of many vote accounts is of the lowest slot of its calls, the first", { [first]: SLOT - 90 }],
    ["of many vote accounts is of the lowest slot of its calls, the last", { [votes.at(-1) ?? ""]: SLOT - 90 }],
    ["of vote and tip accounts is of the lower slot of both", { [TIP_ADDRESS]: SLOT - 90 }],
  ])("%s", async (_, slots) => {
    const { observer } = await observe([atSlots(slots)]);
    const tips = [{ vote: first, epoch: EPOCH }];
    expect(entryOf(await observer.confirm({ votes, tips, notFrom: null })).slot).toBe(SLOT - 90);
  });

  it("in which the epoch ends is refused", async () => {
    let count = 0;
    const getEpochInfo = () => (count++ === 0 ? EPOCH_INFO : { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 0 });
    const { observer } = await observe([{ ...atSlots({}), getEpochInfo }]);
    const observed = await observer.confirm({ votes: [first], tips: [], notFrom: null });
    expect(reasonOf(observed)).toContain("the epoch changed from 1053 to 1054");
  });
});

describe("a list of vote accounts", () => {
  const isRead = async (lastVote: number) => {
    const { observer } = await observe([{ getVoteAccounts: { current: [voteRow(1, { lastVote })], delinquent: [] } }]);
    return (await observer.check()).passed;
  };

  it("may lie 150 slots before or after the slot that the endpoint told, and no more", async () => {
    await expect(Promise.all([SLOT - 150, SLOT + 150].map(isRead))).resolves.toEqual([true, true]);
    await expect(Promise.all([SLOT - 151, SLOT + 151].map(isRead))).resolves.toEqual([false, false]);
  });
});
