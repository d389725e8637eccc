import { expect, it } from "vitest";
import { type PendingChange, toPendingText, toWitnessesText } from "../../public/format/pending.ts";

const at = (endpoint: string, commission: number | null) => ({
  endpoint: `https://${endpoint}`,
  commission,
});

const CHANGE: PendingChange = {
  votePubkey: "GntmGybdocMLzqfrH8LUYskuEzs4Ve6UWuo3coCZEFq4",
  source: "COMMISSION",
  fromCommission: 5,
  toCommission: 100,
  firstSeenAt: "2026-11-28T12:00:00.000Z",
  disputed: true,
  witnesses: [at("one", 100), at("two", 5), at("three", null)],
};

it("a disputed validator's page says what is disputed, and who says what", () => {
  const { word, text } = toPendingText(CHANGE);
  expect(word).toBe("Disputed.");
  expect(text).toBe(
    "An endpoint shows its inflation commission at 100\u00a0% instead of 5\u00a0%, but the endpoints " +
      "contradict each other. We asked: one 100\u00a0%, two 5\u00a0%, three no answer. Until it is settled, " +
      "every page shows 5\u00a0%.",
  );
});

it("endpoints that agree are disputed only by the transactions", () => {
  const witnesses = [at("one", 100), at("two", 100), at("three", null)];
  expect(toPendingText({ ...CHANGE, witnesses }).text).toContain(
    ", but no transaction made that change. We asked: one 100\u00a0%",
  );
});

it("what waits for a second look is not called disputed", () => {
  const { word, text } = toPendingText({ ...CHANGE, disputed: false });
  expect([word, text.includes("contradict")]).toEqual(["Not confirmed yet.", false]);
});

it("an endpoint that shows no MEV commission says that it is off", () => {
  expect(toWitnessesText({ source: "MEV", witnesses: [at("one", null)] })).toBe("one off");
  expect(toWitnessesText({ source: "MEV", witnesses: [] })).toBe("not asked yet");
});
