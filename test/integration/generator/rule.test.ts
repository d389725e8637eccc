import { beforeAll, describe, expect, it } from "vitest";
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
  const cadence = { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
  await stage.play({ until: timeAt(1.3), cadence });
  before = await readTimeless(stage);
  const { data } = await readDocument(stage, "events", {});
  rug = data.find(({ severity, source }) => severity === "RUG" && source === "COMMISSION")!;
  return () => stage.close();
});

function ruling(changes: Partial<RuleOptions>) {
  const subject = { of: "event", id: rug.id } as const;
  const told = { subject, verdict: "ignore", reason: REASON, dryRun: false, onProgress: () => undefined } as const;
  return rule({ ...stage.command, network: "mainnet", ...told, ...changes });
}

const explaining = (event = rug.id) => explainAs(stage.command, event);

const keysWith = (site: Map<string, string>, text: string) =>
  [...site].flatMap(([key, body]) => (body.includes(text) ? [key] : []));

describe("a rug that an operator takes back", () => {
  it("is explained by what was read of it: the old value, the new one, and the account by each witness", async () => {
    const { event, evidence, unreadable } = await explaining(rug.id.slice(0, 6));
    expect(unreadable).toEqual([]);
    expect(event).toMatchObject({ id: rug.id, votePubkey: rug.votePubkey, ruling: null, confirmed: true });
    const account = stage.command.settings.rpcUrls.mainnet.map((url, position) => {
      return { of: "account", by: { endpoint: `${new URL(url).origin}#${position}` }, shows: "new" };
    });
    expect(evidence).toMatchObject([
      { role: "before", time: rug.previousSeenAt },
      // A check in between saw the old value at one witness.
      { role: "between", readings: [{ of: "votes", shows: "old" }] },
      { role: "first", time: rug.createdAt, epoch: rug.epoch, readings: [{ of: "votes", shows: "new" }] },
      { role: "second", time: event.confirmedAt, endpoint: null, readings: account },
    ]);
    const [last, , first, second] = evidence;
    expect(slotsShowing("old", last)).toContain(rug.previousSlot);
    expect([...slotsShowing("new", first), ...slotsShowing("new", second)]).toContain(rug.slot);
  });

  it("is named by no document but the status, which says why, nor by a rebuild; the ruling explains it", async () => {
    expect(keysWith(before, rug.id)).toHaveLength(11);
    const report = await ruling({});
    expect(report).toMatchObject({ skipped: null, documents: { written: 14 } });
    expect(report.ruling.changes).toMatchObject({ gone: [{ id: rug.id }], come: [], moved: [], forgotten: 0 });
    expect(keysWith(await readSite(stage), rug.id)).toEqual([toObjectKey("mainnet", "status", {})]);
    const ruledAt = expect.any(String) as unknown;
    expect((await readDocument(stage, "status", {})).data).toMatchObject({
      ...{ withdrawn: 1, rulingsTotal: 1 },
      rulings: [{ subject: rug.id, of: "event", verdict: "ignore", reason: REASON, ruledAt }],
    });
    expect(countIn(await readTimeless(stage))).toBe(countIn(before) - 1);
    expect(await findDifferences(stage)).toEqual([]);
    const explanation = await explaining();
    expect(explanation.event.ruling).toMatchObject({ verdict: "ignore", reason: REASON });
    expect(explanation.evidence.at(-1)).toMatchObject({ role: "ruling", ruling: { subject: { id: rug.id } } });
    expect(toText(explanation)).toMatch(/taken back since .*restored from a backup/);
  });

  it("comes back as it was, to the byte, when the ruling is taken back", async () => {
    const report = await ruling({ verdict: "accept", reason: "the backup was none" });
    expect(report.ruling.changes).toMatchObject({ gone: [], come: [{ id: rug.id }] });
    expect(await readTimeless(stage)).toEqual(before);
    expect(await findDifferences(stage)).toEqual([]);
    const { data: status } = await readDocument(stage, "status", {});
    expect(status).toMatchObject({ withdrawn: 0, rulingsTotal: 1, rulings: [{ verdict: "accept" }] });
  });

  it("is explained by reading only: nothing is written", async () => {
    const readAll = () =>
      Promise.all([stage.stateStore, stage.publicStore].map((store) => Array.fromAsync(store.list(""))));
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

function countIn(site: Map<string, string>): number {
  const document = JSON.parse(site.get(toObjectKey("mainnet", "rugsPerEpoch", {})) ?? "") as DocumentOf<"rugsPerEpoch">;
  return document.data.find(({ epoch }) => epoch === rug.epoch)?.commissionEvents ?? NaN;
}
