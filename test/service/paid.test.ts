import { expect, it } from "vitest";
import { createView } from "../../generator/documents/view.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { summarisePaid } from "../../generator/views/paid.ts";
import { read } from "../documents/read.ts";
import { MINUTE, openOwnStage, timeAt } from "./harness.ts";

const EPOCHS = 4.2;
const CADENCE = { checkMilliseconds: 10 * MINUTE, snapshotMilliseconds: 20 * MINUTE };

it("in a story of rugs and flips each epoch paid what applied, wherever both are known", async () => {
  const stage = await openOwnStage({ seed: 2, validators: 14 });
  let played: Ledger | null = null;
  await stage.play({
    ...{ until: timeAt(EPOCHS), cadence: CADENCE, publishes: false },
    onReport: (_, { projection }) => void (played = projection.ledger()),
  });
  const ledger = played as Ledger | null;
  if (ledger === null) throw new Error("nothing was observed");
  const points = ledger.validators.flatMap(({ vote: votePubkey }) =>
    read(ledger, "commissionHistory", { votePubkey }).data.flatMap(
      ({ epoch, appliedCommission: applied, paidCommission: paid }) =>
        applied === null || paid === null ? [] : [{ votePubkey, epoch, applied, paid }],
    ),
  );
  expect(points.length).toBeGreaterThan(25);
  expect(new Set(points.map(({ paid }) => paid)).size).toBeGreaterThan(5);
  expect(points.filter(({ applied, paid }) => applied !== paid)).toEqual([]);
  expect(summarisePaid(createView(ledger))).toMatchObject({ contradictions: 0 });
});
