import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProjection } from "../../generator/service/projection.ts";
import { observe } from "../../generator/service/observing.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { readPublishedPosition, openContext, type Context } from "../../generator/service/context.ts";
import { createReport } from "../../generator/service/report.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import type { PlannedChange } from "../../infra/demo/cluster/chain/planned-changes.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { openLocations } from "../../generator/observe/locations.ts";
import { recordPuts } from "../publish/site.ts";
import { FIRST_EPOCH, MINUTE, openStage, timeAt, type Stage } from "./harness.ts";

// What one snapshot that finds three new commissions asks of the stores, write by write.

let stage: Stage;
let changes: PlannedChange[];
let writes: string[];

beforeAll(async () => {
  stage = await openStage();
  changes = findThree(stage);
  const [first] = changes;
  const begin = Math.floor((first?.atMilliseconds ?? 0) / MINUTE) * MINUTE;
  const cadence = { checkMilliseconds: 10 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
  await stage.play({ until: begin, cadence });
  // From here to the snapshot only the three happen.
  await stage.play({ until: begin + MINUTE });
  await stage.clock.sleepUntil((changes.at(-1)?.atMilliseconds ?? 0) + 1);
  writes = await recordSnapshot(stage);
});

afterAll(() => stage.close());

/** Three changes of inflation commissions in one hour of the second epoch, late enough in it, one of them a rug. */
function findThree({ cluster }: Stage): PlannedChange[] {
  const all = cluster.plannedChanges(FIRST_EPOCH + 1).filter(({ source }) => source === "COMMISSION");
  const hourOf = ({ atMilliseconds }: PlannedChange) => Math.floor(atMilliseconds / (60 * MINUTE));
  for (const [index, first] of all.entries()) {
    const [before, three, after] = [all[index - 1], all.slice(index, index + 3), all[index + 3]];
    const last = three.at(-1);
    if (first.atMilliseconds < timeAt(1.3) || before === undefined || last === undefined || after === undefined)
      continue;
    const apart =
      first.atMilliseconds - before.atMilliseconds > MINUTE && after.atMilliseconds > last.atMilliseconds + 1;
    if (apart && hourOf(first) === hourOf(last) && three.some(({ kind }) => kind === "RUG")) return three;
  }
  throw new Error("the story has no such three changes");
}

/** Takes a snapshot and publishes it; gives the keys put, in order. */
async function recordSnapshot({ command, network, clock }: Stage): Promise<string[]> {
  const puts: string[] = [];
  const { cityFile, asnFile } = command.settings.geo;
  const opened = await openContext({ ...command, network, locations: await openLocations({ cityFile, asnFile }) });
  const publicStore = recordPuts(opened.publicStore, puts);
  const stateStore = recordPuts(opened.stateStore, puts);
  const journal = openJournal({ store: stateStore, network, series: opened.series });
  const projection = createProjection({ network, series: 1, journal, now: clock.now });
  const context: Context = { ...opened, publicStore, stateStore, journal, projection };
  projection.setPublished(await readPublishedPosition(stateStore, context));
  const report = createReport("snapshot", network);
  try {
    await observe(context, "snapshot", report);
    expect(report).toMatchObject({ accepted: true, events: 3, pending: 0, rejected: [] });
    await publishLedger(context, report, { audit: true });
    expect(report.skipped).toBeNull();
  } finally {
    await opened.close();
  }
  return puts;
}

/** What kind of a write a key tells of. */
function classify(key: string): string {
  const kinds: [RegExp, string][] = [
    [/^journal\/.*-snapshot-/, "journal: snapshot"],
    [/^journal\/.*-transactions-/, "journal: transactions"],
    [/^lease\//, "lease"],
    [/^(?:api\/v1|feeds)\/mainnet\/validators\/\w+(?:\/[a-z-]+)?\.(?:json|atom)$/, "leaf"],
    [/^api\/v1\/mainnet\/(?:validators|events|epochs\/\d+\/events|stats\/[a-z-]+)\.json$/, "list"],
    [/^feeds\/mainnet\/[a-z]+\.(?:atom|json)$/, "list"],
    [/^api\/v1\/mainnet\/index\.json$/, "index"],
    [/^manifest\//, "manifest"],
    [/^api\/v1\/mainnet\/status\.json$/, "status"],
  ];
  return kinds.find(([pattern]) => pattern.test(key))?.[1] ?? key;
}

describe("a snapshot that finds three new commissions", () => {
  it("writes the journal, then what is pointed at, then what points at it, and last what says so", () => {
    const inOrder = writes.map(classify).filter((kind, index, kinds) => kind !== kinds[index - 1]);
    // Every witness's accounts are in the snapshot itself: there is nothing left to ask for but the transactions.
    const journal = ["journal: snapshot", "journal: transactions"];
    expect(inOrder).toEqual([...journal, "lease", "leaf", "list", "index", "manifest", "status"]);
  });

  it("writes no key twice, and far less than there is", () => {
    expect(new Set(writes).size).toBe(writes.length);
    expect(writes.length).toBeLessThan(40);
  });

  it("writes the profile, the events and the commissions of each of the three, and of nobody else the last two", () => {
    const ofThree = changes.flatMap(({ vote: votePubkey }) => [
      ...(["validator", "validatorEvents", "commissionHistory"] as const).map((kind) =>
        toObjectKey("mainnet", kind, { votePubkey }),
      ),
    ]);
    const leaves = writes.filter((key) => classify(key) === "leaf");
    expect(leaves).toEqual(expect.arrayContaining(ofThree));
    const ofOthers = leaves.filter((key) => !ofThree.includes(key));
    expect(ofOthers.filter((key) => /\/(?:events|commission-history|stake-history)\.json$/.test(key))).toEqual([]);
  });

  it("writes the lists that show them, and those of rugs, because one of them is one", () => {
    const lists = writes.filter((key) => classify(key) === "list");
    const keys = [
      toObjectKey("mainnet", "validators", {}),
      toObjectKey("mainnet", "events", {}),
      toObjectKey("mainnet", "epochEvents", { epoch: FIRST_EPOCH + 1 }),
      toObjectKey("mainnet", "rugsPerEpoch", {}),
    ];
    expect(lists).toEqual(expect.arrayContaining(keys));
    expect(lists).not.toContain(toObjectKey("mainnet", "epochEvents", { epoch: FIRST_EPOCH }));
  });
});
