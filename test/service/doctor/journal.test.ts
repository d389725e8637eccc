import { beforeEach, describe, expect, it } from "vitest";
import { startSeries } from "../../../generator/journal/series.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import {
  numberOf,
  toEntryKey,
  toName,
  type JournalPlace,
} from "../../../generator/journal/names.ts";
import { LIMITS } from "../../../generator/service/doctor/check.ts";
import { checkJournal } from "../../../generator/service/doctor/journal.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/genesis.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { changeEntry, damage } from "../../journal/packed.ts";
import { makeRuling } from "../../journal/samples.ts";
import { timeAt } from "../../story/clock.ts";
import { check, snapshot } from "../../story/observations.ts";
import { withA } from "../../story/validators.ts";
import { makeDirectory } from "../../store/directory.ts";
import { append, makeStation, publish } from "../offline.ts";
import { clockAt, makeContext, toFindingLine } from "./node.ts";

/** Long enough to be stopped on the way. */
const MINUTES = 8;
const STORY = [
  snapshot(0, withA({ bps: 500 })),
  ...Array.from({ length: MINUTES }, (_, minute) => check(minute + 1, withA({ bps: 500 }))),
];
const WELL = "ok journal: series 1, since 2026-11-20";

let place: JournalPlace;
let examine: (limits?: typeof LIMITS) => Promise<string[]>;
let run: () => Promise<unknown>;
let lastName: string;
beforeEach(async () => {
  const { directory, remove } = await makeDirectory();
  const stores = {
    publicStore: openFileStore(`${directory}/public`),
    stateStore: openFileStore(`${directory}/state`),
  };
  const series = {
    network: "mainnet",
    genesis: GENESIS_HASHES.mainnet!,
    since: timeAt(0),
  } as const;
  place = { store: stores.stateStore, network: "mainnet", series: 1 };
  await startSeries(stores.stateStore, series);
  const now = Date.parse(timeAt(MINUTES + 1));
  const station = () => makeStation({ ...stores, now, holder: "one" });
  await append(station(), STORY);
  run = () => publish(station());
  await run();
  lastName = (await station().journal.list(null)).names.at(-1) ?? "";
  examine = async (limits = LIMITS) => {
    const findings = await checkJournal(
      "mainnet",
      makeContext({ ...stores, clock: clockAt(() => now), limits }),
    );
    return findings.filter(({ subject }) => subject === "journal").map(toFindingLine);
  };
  return remove;
});

describe("an entry that cannot be read", () => {
  let putBack: () => Promise<unknown>;
  beforeEach(async () => {
    const key = toEntryKey(place, lastName);
    const { body } = (await place.store.get(key))!;
    await damage(place, key, (whole) => whole.subarray(0, 40));
    putBack = () => damage(place, key, () => body);
  });

  it("is a problem although the last run could read it, until it is back", async () => {
    const example = `1 entry of the journal cannot be read, for example ${lastName}: `;
    const problem = `^problem journal: publishing waits: ${example}.* → .*rule --observation ${lastName} --ignore`;
    expect(await examine()).toEqual([WELL, expect.stringMatching(problem)]);
    await run();
    expect(await examine()).toEqual([WELL, expect.stringMatching(problem)]);
    await putBack();
    expect(await examine()).toEqual([WELL]);
  });

  it("is none where a ruling leaves it out", async () => {
    const subject = { of: "observation", first: lastName, last: lastName } as const;
    await openJournal(place).rule(makeRuling({ after: toName(numberOf(lastName) - 1), subject }));
    expect(await examine()).toEqual([WELL]);
  });
});

it("an entry of a newer version is a problem for which no ruling helps", async () => {
  await changeEntry(place, lastName, (text) => text.replace(/"format":\d/, '"format":9'));
  const problem = `^problem journal: ${lastName}: .*: a newer version wrote it → This generator does not publish: update it`;
  expect(await examine()).toEqual([WELL, expect.stringMatching(problem)]);
});

it("a journal that takes too long to read is not called whole", async () => {
  for await (const { key } of place.store.list("checkpoints/")) await place.store.delete(key);
  const lines = await examine({ ...LIMITS, checkMilliseconds: 0 });
  const warning =
    /^warning journal: 8 entries could not be read in time → .*rebuild --verify --network mainnet/;
  expect(lines).toEqual([WELL, expect.stringMatching(warning)]);
});
