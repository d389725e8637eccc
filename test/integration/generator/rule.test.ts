import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evidence } from "../../../generator/service/explain/evidence.ts";
import { toText } from "../../../generator/commands/explain.ts";
import { rule, type RuleOptions } from "../../../generator/service/rule.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { toObjectKey, type DocumentOf } from "../../../generator/contract/objects.ts";
import { readDocument, readSite, readTimeless } from "../../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../../service/harness.ts";
import { explainAs } from "../../service/told-journal.ts";
import { findDifferences } from "./staging.ts";

const REASON = "the operator showed that the node was restored from a backup";

let stage: Stage;
let before: Map<string, string>;
let rug: CommissionEvent;

beforeAll(async () => {
  stage = await openStage({ validators: 20, seed: 3 });
  await stage.play({
    until: timeAt(1.3),
    cadence: { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE },
  });
  before = await readTimeless(stage);
  const { data } = await readDocument(stage, "events", {});
  const found = data.find(({ severity, source }) => severity === "RUG" && source === "COMMISSION");
  if (found === undefined) throw new Error("the story has no rug");
  rug = found;
});

afterAll(() => stage.close());

function ruling(changes: Partial<RuleOptions>) {
  const options: RuleOptions = {
    ...stage.command,
    network: "mainnet",
    subject: { of: "event", id: rug.id },
    verdict: "ignore",
    reason: REASON,
    dryRun: false,
    onProgress: () => undefined,
    ...changes,
  };
  return rule(options);
}

const explaining = (event = rug.id) => explainAs(stage.command, event);

const keysWith = (site: Map<string, string>, text: string) =>
  [...site].flatMap(([key, body]) => (body.includes(text) ? [key] : []));

describe("a rug that an operator takes back", () => {
  it("was planned by the story, and is named in five documents and three feeds, each in two forms", () => {
    expect(stage.cluster.plannedChanges(rug.epoch).map(({ vote }) => vote)).toContain(rug.votePubkey);
    expect(keysWith(before, rug.id)).toEqual([
      toObjectKey("mainnet", "epochEvents", { epoch: rug.epoch }),
      toObjectKey("mainnet", "events", {}),
      toObjectKey("mainnet", "index", {}),
      toObjectKey("mainnet", "rugsPerEpoch", {}),
      toObjectKey("mainnet", "validatorEvents", rug),
      toObjectKey("mainnet", "atomFeed", { feed: "events" }),
      toObjectKey("mainnet", "jsonFeed", { feed: "events" }),
      toObjectKey("mainnet", "atomFeed", { feed: "rug" }),
      toObjectKey("mainnet", "jsonFeed", { feed: "rug" }),
      toObjectKey("mainnet", "validatorAtomFeed", rug),
      toObjectKey("mainnet", "validatorJsonFeed", rug),
    ]);
  });

  it("is explained by what was read of it: the old value, the new one, and the account by each witness", async () => {
    const { event, evidence, unreadable } = await explaining(rug.id.slice(0, 6));
    expect(unreadable).toEqual([]);
    expect(event).toMatchObject({ id: rug.id, votePubkey: rug.votePubkey, ruling: null, confirmed: true });
    const roles = evidence.map(({ role }) => role);
    // A check in between saw the old value at one witness.
    expect(roles).toEqual(["before", "between", "first", "second"]);
    const [last, between, first, second] = evidence;
    expect(last?.time).toBe(rug.previousSeenAt);
    expect(slotsShowing("old", last)).toContain(rug.previousSlot);
    expect(between?.readings).toMatchObject([{ of: "votes", shows: "old" }]);
    expect(first).toMatchObject({ time: rug.createdAt, epoch: rug.epoch, readings: [{ of: "votes", shows: "new" }] });
    expect(second).toMatchObject({ time: event.confirmedAt, endpoint: null });
    const witnesses = stage.command.settings.rpcUrls.mainnet.map(
      (url, position) => `${new URL(url).origin}#${position}`,
    );
    expect(second?.readings).toMatchObject(
      witnesses.map((endpoint) => ({ of: "account", by: { endpoint }, shows: "new" })),
    );
    expect([...slotsShowing("new", first), ...slotsShowing("new", second)]).toContain(rug.slot);
    // As the nodes said it: stored 150 %, published 100 %.
    expect(first?.readings[0]?.row).toMatchObject({ vote: rug.votePubkey, percent: 150 });
    expect(second?.readings[0]?.row).toMatchObject({ basisPoints: 15_000, percent: null });
    expect(toText(await explaining())).toContain("basisPoints 15000");
  });

  it("is absent in every document but the status, which says why", async () => {
    const report = await ruling({});
    expect(report).toMatchObject({ skipped: null, documents: { written: 14 } });
    expect(report.ruling.changes).toMatchObject({ gone: [{ id: rug.id }], come: [], moved: [], forgotten: 0 });
    const site = await readSite(stage);
    expect(keysWith(site, rug.id)).toEqual([toObjectKey("mainnet", "status", {})]);
    const { data: status } = await readDocument(stage, "status", {});
    expect(status).toMatchObject({ withdrawn: 1, rulingsTotal: 1 });
    expect(status.rulings).toEqual([
      { subject: rug.id, of: "event", verdict: "ignore", reason: REASON, ruledAt: expect.any(String) as unknown },
    ]);
    expect(await countOfEpoch()).toBe(countIn(before) - 1);
  });

  it("leaves a record that can be rebuilt to the byte", async () => {
    expect(await findDifferences(stage)).toEqual([]);
  });

  it("is still explained, by the ruling too", async () => {
    const { event, evidence } = await explaining();
    expect(event.ruling).toMatchObject({ verdict: "ignore", reason: REASON });
    expect(evidence.at(-1)).toMatchObject({ role: "ruling", ruling: { subject: { of: "event", id: rug.id } } });
    expect(toText(await explaining())).toMatch(/taken back since .*restored from a backup/);
  });

  it("comes back as it was, to the byte, when the ruling is taken back", async () => {
    const report = await ruling({ verdict: "accept", reason: "the backup was none" });
    expect(report.ruling.changes).toMatchObject({ gone: [], come: [{ id: rug.id }] });
    expect(await readTimeless(stage)).toEqual(before);
    expect(await findDifferences(stage)).toEqual([]);
    const { data: status } = await readDocument(stage, "status", {});
    expect(status).toMatchObject({ withdrawn: 0, rulingsTotal: 1, rulings: [{ verdict: "accept" }] });
    expect((await explaining()).evidence.map(({ role }) => role).slice(4)).toEqual(["ruling", "ruling"]);
  });

  it("is explained by reading only: nothing is written", async () => {
    const readAll = async () => [
      await Array.fromAsync(stage.stateStore.list("")),
      await Array.fromAsync(stage.publicStore.list("")),
    ];
    // A full fold would otherwise keep a checkpoint.
    for await (const { key } of stage.stateStore.list("checkpoints/")) await stage.stateStore.delete(key);
    const held = await readAll();
    await explaining();
    expect(await readAll()).toEqual(held);
  });
});

function slotsShowing(side: "old" | "new", piece: Evidence | undefined): (number | null)[] {
  const showing = piece?.readings.filter(({ shows }) => shows === side) ?? [];
  return showing.flatMap(({ by }) => (by === null ? (piece?.slot ?? null) : "slot" in by ? by.slot : []));
}

async function countOfEpoch(): Promise<number | undefined> {
  return countIn(await readTimeless(stage));
}

function countIn(site: Map<string, string>): number {
  const document = JSON.parse(site.get(toObjectKey("mainnet", "rugsPerEpoch", {})) ?? "") as DocumentOf<"rugsPerEpoch">;
  return document.data.find(({ epoch }) => epoch === rug.epoch)?.commissionEvents ?? NaN;
}
