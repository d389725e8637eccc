import { expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { observedRate } from "../../generator/ledger/rates/timeline.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { withA } from "../story/validators.ts";

it.each<[string, Entry[]]>([
  [
    "within a run that was pending before them",
    [
      snapshot(0, withA(500)),
      ...[1, 100, 370, 371].map((minute) => check(minute, withA(minute < 100 ? 500 : 1000))),
    ],
  ],
  [
    "after a percent on which nobody agreed",
    [
      panelSnapshot(0, withA(500), { of: 3, lists: [{ percent: 5 }, 1000, 9500] }),
      ...[370, 371].map((minute) => panelCheck(minute, withA(500), { of: 3 })),
    ],
  ],
])("epochs without a reading have no rate %s", (_, entries) => {
  const validator = validatorOf(foldStory(...entries), "A");
  expect([1, 2].map((at) => observedRate(validator, FIRST_EPOCH + at))).toEqual([null, null]);
});
