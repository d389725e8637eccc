import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { findExample, toWindowText } from "../../public/pages/how-we-know/example.ts";
import { toEvents } from "./told.ts";

const SEEN_AT = Date.parse("2026-11-29T13:46:00.000Z");
const PROVED = { verifiedBy: "signature" } as CommissionEvent["transaction"];

/** @param seconds from the last sight of the old rate to the first one of the new rate */
const toChange = (id: string, seconds: number, told: Partial<CommissionEvent> = {}) =>
  toEvents({
    id,
    severity: "RUG",
    transaction: PROVED,
    previousSlot: 1_000,
    slot: 1_000 + seconds * 2,
    previousSeenAt: new Date(SEEN_AT - seconds * 1_000).toISOString(),
    createdAt: new Date(SEEN_AT).toISOString(),
    ...told,
  })[0]!;

const UNSEEN = toChange("unseen", 60, { previousSlot: null });

describe("the change that explains how we know", () => {
  const long = toChange("long", 1_790);
  const short = toChange("short", 60);
  const caution = toChange("caution", 60, { severity: "CAUTION" });

  it.each([
    [
      "the newest RUG that was observed within minutes",
      [long, short, toChange("old", 30)],
      "short",
    ],
    ["or else the newest RUG", [caution, long, toChange("old", 1_790)], "long"],
    ["or else the newest change", [caution, toChange("old", 1, { severity: "INFO" })], "caution"],
    ["never one that is not proved", [{ ...short, transaction: null }, long], "long"],
    ["never one that its steps replace", [{ ...short, replacedBy: "long" }, long], "long"],
  ])("is %s", (_, events, id) => expect(findExample(events)?.id).toBe(id));

  it("has a sentence where it was observed over a longer time than usual", () => {
    expect(toWindowText(short)).toBeNull();
    expect(toWindowText(UNSEEN)).toBeNull();
    expect(toWindowText(long)).toBe(
      "No answer that counts came for 29 min 50 s, longer than usual: the slot of the transaction says when the rate changed.",
    );
  });
});
