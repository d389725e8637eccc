import { beforeAll, describe, expect, it } from "vitest";
import { BEHIND_SLOTS } from "../../../generator/rpc/ranking.ts";
import { countAccounts, findFalseLists, startReading, type AccountCounts, type Reading } from "./answers.ts";
import { startChanges, type Stay } from "./changes.ts";
import { createDoer, handsOver } from "./deeds.ts";
import { createKeypair } from "./keys.ts";
import { startLoad } from "./load.ts";
import { readBasisPoints } from "./proof-story.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";

/** The node writes its cache to disk about every 50 s, and only then are accounts out of date. */
const SECONDS = readSeconds(process.env["RUGWATCH_TEST_STALE_SECONDS"] ?? "60");
const BUSY_LOOPS = 10;
/** To start, to hand over and to read what was carried out, on a busy machine. */
const OTHER_SECONDS = 300;

describe.skipIf(!hasValidator)(`what a busy validator answers for ${SECONDS} s, while a commission changes,`, () => {
  let validator: Validator;
  let before: number;
  let stays: Stay[];
  let reading: Reading;
  let counts: AccountCounts;

  beforeAll(
    async () => {
      validator = await startValidator({ slotsPerEpoch: 300 });
      const own = { name: "own", vote: validator.vote.address, authority: validator.vote };
      const authority = createKeypair();
      // Every vote names the vote account's key: what another one signs can be listed.
      await createDoer(validator).carryOut(handsOver(own, authority));
      before = await readBasisPoints(validator, own.vote);
      const load = startLoad(BUSY_LOOPS, { seconds: SECONDS + OTHER_SECONDS });
      const changing = startChanges(validator, { ...own, authority });
      const asking = startReading(validator.ask, own.vote);
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      reading = await asking.stop();
      await load.stop();
      stays = await changing.stop();
      counts = countAccounts(reading.accounts, stays);
      process.stdout.write(`${toSummary({ stays, reading, counts })}\n`);
      return () => validator.close();
    },
    (SECONDS + OTHER_SECONDS) * 1000,
  );

  it("comes at all, and the commission does change", async () => {
    expect(reading.accounts.length).toBeGreaterThan(10);
    expect(reading.lists.length).toBeGreaterThan(10);
    expect(stays.length).toBeGreaterThan(5);
    expect(await readBasisPoints(validator, validator.vote.address)).toBe(stays.at(-1)?.basisPoints);
  });

  it("is in lists never older than the newest vote they count, nor newer than the slot that is final after them", () => {
    const slotsOf = ({ lastVote, answered }: Reading["lists"][number]) => ({
      first: lastVote,
      last: answered + BEHIND_SLOTS,
    });
    expect(findFalseLists(reading.lists, stays, slotsOf)).toEqual([]);
  });

  it("is of accounts out of date or nothing at times, but never a rate that nobody set", () => {
    const set = new Set([before, null, ...stays.map(({ basisPoints }) => basisPoints)]);
    expect(reading.accounts.flatMap(({ shown }) => shown.filter((one) => !set.has(one)))).toEqual([]);
    expect(counts.exact).toBeGreaterThan(0);
  });
});

function toSummary({ stays, reading, counts }: { stays: Stay[]; reading: Reading; counts: AccountCounts }): string {
  const { accounts, lists, failures } = reading;
  const strictly = findFalseLists(lists, stays, ({ asked, answered }) => ({ first: asked, last: answered }));
  return JSON.stringify({
    changes: stays.length,
    accountAnswers: accounts.length,
    ...counts,
    lists: lists.length,
    listsOutsideOfTheSlotsAround: strictly,
    failures,
  });
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 10 && seconds <= 500) return seconds;
  throw new Error(`RUGWATCH_TEST_STALE_SECONDS is ${text}: it must be a whole number from 10 to 500`);
}
