import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { NODES_DIFFER_SLOTS } from "../../../generator/chain/slots.ts";
import { readDocument } from "../../service/documents.ts";
import {
  countAccounts,
  findFalseLists,
  startReading,
  type AccountCounts,
  type Reading,
} from "./answers.ts";
import { startChanges, type Stay } from "./changes.ts";
import { createDoer, handsOver } from "./deeds.ts";
import { createKeypair } from "./keys.ts";
import { startLoad } from "./load.ts";
import { watch, type Watching } from "./operator.ts";
import { readBasisPoints } from "./proof-story.ts";
import { findFalse, toBasisPoints } from "./published.ts";
import { waitUntil } from "./rpc.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";

/** The node writes its cache to disk about every 50 s, and only then are accounts out of date. */
const SECONDS = readSeconds(process.env["RUGWATCH_TEST_STALE_SECONDS"] ?? "60");
const BUSY_LOOPS = 10;
/** To start, to hand over, to read what was carried out and to publish it, on a busy machine. */
const OTHER_SECONDS = 420;
/** Several checks and snapshots of each generator within a minute, also on a busy machine. */
const CADENCE = { checkMilliseconds: 3_000, snapshotMilliseconds: 9_000 };
/** A pause of the generators, if one fails, is shorter. */
const PUBLISHED_SECONDS = 180;
const WITNESSES = ["one witness", "two witnesses"] as const;

describe.skipIf(!hasValidator)(
  `what a busy validator answers for ${SECONDS} s, while a commission changes,`,
  () => {
    let validator: Validator;
    let before: number;
    let stays: Stay[];
    let reading: Reading;
    let counts: AccountCounts;
    const told: Record<string, CommissionEvent[]> = {};
    const closing: (() => Promise<void>)[] = [];

    beforeAll(
      async () => {
        validator = await startValidator({ slotsPerEpoch: 300 });
        closing.push(() => validator.close());
        const own = { name: "own", vote: validator.vote.address, authority: validator.vote };
        const authority = createKeypair();
        // Every vote names the vote account's key: what another one signs can be listed.
        await createDoer(validator).carryOut(handsOver(own, authority));
        before = await readBasisPoints(validator, own.vote);
        const sites = await startWatching(validator.url);
        closing.push(...Object.values(sites).map((site) => () => site.close()));
        const load = startLoad(BUSY_LOOPS, { seconds: SECONDS + OTHER_SECONDS });
        const changing = startChanges(validator, { ...own, authority });
        const asking = startReading(validator.ask, own.vote);
        await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
        reading = await asking.stop();
        await load.stop();
        stays = await changing.stop();
        for (const [name, site] of Object.entries(sites))
          told[name] = await readEvents(site, own.vote, stays.at(-1));
        counts = countAccounts(reading.accounts, stays);
        process.stdout.write(`${toSummary({ stays, reading, counts, told })}\n`);
      },
      (SECONDS + OTHER_SECONDS) * 1000,
    );

    afterAll(async () => {
      for (const close of closing.reverse()) await close();
    });

    it("comes at all, and the commission does change", async () => {
      expect(reading.accounts.length).toBeGreaterThan(10);
      expect(reading.lists.length).toBeGreaterThan(10);
      expect(stays.length).toBeGreaterThan(5);
      expect(await readBasisPoints(validator, validator.vote.address)).toBe(
        stays.at(-1)?.basisPoints,
      );
    });

    it("is in lists never older than the newest vote they count, nor newer than the slot that is final after them", () => {
      const slotsOf = ({ lastVote, answered }: Reading["lists"][number]) => ({
        first: lastVote,
        last: answered + NODES_DIFFER_SLOTS,
      });
      expect(findFalseLists(reading.lists, stays, slotsOf)).toEqual([]);
    });

    it("is of accounts out of date or nothing at times, but never a rate that nobody set", () => {
      const set = new Set([before, null, ...stays.map(({ basisPoints }) => basisPoints)]);
      expect(reading.accounts.flatMap(({ shown }) => shown.filter((one) => !set.has(one)))).toEqual(
        [],
      );
      expect(counts.exact).toBeGreaterThan(0);
    });

    it.each(WITNESSES)(
      "makes nothing false of what %s shows a generator, and the last change is not missed",
      (name) => {
        expect(findFalse(told[name] ?? [], { stays, before })).toEqual([]);
        expect(told[name]?.length).toBeGreaterThan(0);
      },
    );
  },
);

async function startWatching(url: string): Promise<Record<(typeof WITNESSES)[number], Watching>> {
  const sites = {
    "one witness": await watch(url, CADENCE),
    "two witnesses": await watch(`${url},${url.replace("127.0.0.1", "localhost")}`, CADENCE),
  };
  await Promise.all(Object.values(sites).map(({ begun }) => begun));
  return sites;
}

/** All that was published, once the last change was. */
async function readEvents(
  site: Watching,
  votePubkey: string,
  last: Stay | undefined,
): Promise<CommissionEvent[]> {
  return waitUntil(
    `the change to ${last?.basisPoints} basis points`,
    PUBLISHED_SECONDS,
    async () => {
      const { data } = await readDocument(site, "validatorEvents", { votePubkey });
      return data.some(({ toCommission }) => toBasisPoints(toCommission) === last?.basisPoints)
        ? data
        : null;
    },
  );
}

interface Seen {
  stays: Stay[];
  reading: Reading;
  counts: AccountCounts;
  told: Record<string, CommissionEvent[]>;
}

function toSummary({ stays, reading, counts, told }: Seen): string {
  const { accounts, lists, failures } = reading;
  const strictly = findFalseLists(lists, stays, ({ asked, answered }) => ({
    first: asked,
    last: answered,
  }));
  return JSON.stringify({
    changes: stays.length,
    accountAnswers: accounts.length,
    ...counts,
    lists: lists.length,
    listsOutsideOfTheSlotsAround: strictly,
    failures,
    events: Object.entries(told).map(([name, { length }]) => `${length} by ${name}`),
  });
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds >= 10 && seconds <= 500) return seconds;
  throw new Error(
    `RUGWATCH_TEST_STALE_SECONDS is ${text}: it must be a whole number from 10 to 500`,
  );
}
