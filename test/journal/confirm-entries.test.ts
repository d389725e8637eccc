import { describe, expect, test } from "vitest";
import { readEntry, writeEntry } from "../../generator/journal/entries.ts";
import type { PanelConfirmEntry } from "../../generator/entries/entry.ts";
import { confirm, keyOf, timeAt } from "../ledger/story.ts";
import { makePlace } from "./samples.ts";

const byPanel: PanelConfirmEntry = {
  kind: "confirm",
  format: 1,
  network: "mainnet",
  time: timeAt(1),
  votes: [keyOf("A"), keyOf("B")],
  tips: [{ vote: keyOf("A"), epoch: 1100 }],
  answers: [
    {
      state: "ok",
      endpoint: "https://a.example#0",
      slot: 9,
      rows: [[9_500, null, keyOf("authority")], null],
      shares: [[800]],
    },
    { state: "failed", endpoint: "https://b.example#1", reason: "HTTP status 503" },
  ],
};

describe("a second reading", () => {
  test.each([
    ["by a panel", byPanel],
    ["by one endpoint, from before there were panels", confirm(1, [{ name: "A", bps: 9_500 }], [{ name: "A" }])],
  ])("%s comes back from the journal as it was written", async (_, entry) => {
    const place = makePlace();
    const name = await writeEntry(place, entry);
    expect(await readEntry(place, name)).toEqual({ name, entry });
  });

  test("that is neither is refused", async () => {
    const { answers, ...neither } = byPanel;
    expect(answers).toHaveLength(2);
    await expect(writeEntry(makePlace(), neither as PanelConfirmEntry)).rejects.toThrow();
  });
});
