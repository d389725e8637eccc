import { expect, it } from "vitest";
import { foldStory } from "../story/fold.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { crowd } from "../story/validators.ts";

const facts = (bps: number) => [...crowd(3), { name: "A", bps }];

it.each<[said: string, ahead: (number | null)[], state: string, reason: RegExp | null]>([
  ["all of three", [0, 0, 0], "ok", null],
  ["two of three", [0, 0, null], "ok", null],
  [
    "one of three",
    [0, null, null],
    "degraded",
    /^2 of 3 witnesses silent, so that no change can be confirmed: /,
  ],
  ["two of four", [0, 0, null, null], "degraded", /^2 of 4 witnesses silent/],
  ["one of two, who decides alone in time", [0, null], "ok", null],
])("witnesses of an observation answer: %s", (_, ahead, state, reason) => {
  const of = ahead.length;
  const { ledger, accepted } = foldStory(
    panelSnapshot(0, facts(500), { of }),
    panelCheck(1, facts(500), { of, ahead }),
  );
  // A list that too few gave is like no majority's, and unlike nobody's.
  expect(accepted).toMatchObject([{ accepted: true }, { accepted: true }]);
  expect(ledger.sources.witnesses).toMatchObject({ state });
  if (reason === null) expect(ledger.sources.witnesses.reason).toBeNull();
  else expect(ledger.sources.witnesses.reason).toMatch(reason);
  const after = foldStory(
    panelCheck(1, facts(500), { of, ahead }),
    panelCheck(2, facts(500), { of }),
  ).ledger;
  expect(after.sources.witnesses).toMatchObject({ state: "ok", reason: null });
});

it("a refused observation tells of its witnesses too", () => {
  const few = panelCheck(1, [{ name: "A", bps: 500 }], { of: 3, ahead: [0, null, null] });
  const { ledger } = foldStory(panelSnapshot(0, facts(500), { of: 3 }), few);
  expect(ledger.acceptance.refused).toBe(1);
  expect(ledger.sources.witnesses.state).toBe("degraded");
});
