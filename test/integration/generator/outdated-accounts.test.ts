import { describe, expect, it } from "vitest";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import { MINUTE, openStage, STARTS_AT } from "../../service/harness.ts";
import { readEvents, describeEvent, describePlanned } from "../../service/planned-events.ts";
import type { Fault } from "../../service/upstream.ts";
import { putManyBetween } from "./staging.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

/*
 * `generate run` at honest endpoints under load: every vote account that they
 * answer shows another rate, or nothing, under a right slot. Their lists are right.
 */

interface Account {
  owner: string;
  data: [base64: string, encoding: "base64"];
}

const BASIS_POINTS_OFFSET = 132;
const PERCENT_OFFSET = 68;
const VERSION_4 = 3;

/** @param basisPoints null: no account */
const outdated =
  (basisPoints: number | null): Fault =>
  ({ method }) =>
    method === "getMultipleAccounts"
      ? ({ value, ...answer }: { value: (Account | null)[] }) => ({
          ...answer,
          value: value.map((account) =>
            account?.owner === VOTE_PROGRAM ? toOutdated(account, basisPoints) : account,
          ),
        })
      : undefined;

function toOutdated(account: Account, basisPoints: number | null): Account | null {
  if (basisPoints === null) return null;
  const data = Buffer.from(account.data[0], "base64");
  if (data.readUInt32LE(0) === VERSION_4) data.writeUInt16LE(basisPoints, BASIS_POINTS_OFFSET);
  else data.writeUInt8(basisPoints / 100, PERCENT_OFFSET);
  return { ...account, data: [data.toString("base64"), "base64"] };
}

const WELL_MINUTES = 35;
const LOADED_MINUTES = 25;

describe.each([1, 2, 3])("%i honest endpoints under load", (of) => {
  it.each([
    ["100 %", 10_000],
    ["9 %", 900],
    ["nothing", null],
  ])("whose accounts show %s make no event, and hide none", async (_, basisPoints) => {
    const stage = await openStage();
    const upstreams = await putManyBetween(stage, of);
    try {
      await stage.play({ until: STARTS_AT + WELL_MINUTES * MINUTE });
      for (const upstream of upstreams) upstream.setFault(outdated(basisPoints));
      const until = STARTS_AT + (WELL_MINUTES + LOADED_MINUTES) * MINUTE;
      const reports = await stage.play({ until });
      expect(reports.filter(({ accepted }) => accepted !== true)).toEqual([]);
      const planned = stage.cluster
        .plannedChanges(FIRST_EPOCH)
        .filter(({ atMilliseconds: at, source }) => {
          return source === "COMMISSION" && at > STARTS_AT && at < until - 5 * MINUTE;
        });
      const loaded = planned.filter(
        ({ atMilliseconds: at }) => at > STARTS_AT + WELL_MINUTES * MINUTE,
      );
      expect(loaded.length).toBeGreaterThan(0);
      expect((await readEvents(stage, "COMMISSION")).map(describeEvent).sort()).toEqual(
        planned.map(describePlanned).sort(),
      );
    } finally {
      await Promise.all([...upstreams, stage].map((one) => one.close()));
    }
  });
});
