import { expect, test } from "vitest";
import { check, confirm, crowd, type Fact, FIRST_EPOCH, keyOf, ruling, snapshot } from "../ledger/story.ts";
import { read } from "./fixtures.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const NAMES = crowd(14).map(({ name }) => name);

/** Each raises its commission a minute after the one before, across an epoch's end; the list is read each minute. */
const story = NAMES.flatMap((name, place) => {
  const raised = NAMES.slice(0, place + 1);
  const votes = NAMES.map((each): Fact => ({ name: each, bps: raised.includes(each) ? 10_000 : 500 }));
  return [check(112 + place, votes), confirm(112.5 + place, [{ name, bps: 10_000 }])];
});
const entries = [snapshot(100, crowd(14, { bps: 500 })), snapshot(110, crowd(14, { bps: 500 })), ...story];

test("an incident that grows, and one that a ruling breaks, shows in what was touched alone", () => {
  const eventsOf = (ledger: ReturnType<typeof expectTouchedToSuffice>) =>
    NAMES.flatMap((name) => read(ledger, "validatorEvents", { votePubkey: keyOf(name) }).data);
  const whole = expectTouchedToSuffice(entries);
  expect(new Set(eventsOf(whole).map(({ epoch }) => epoch - FIRST_EPOCH))).toEqual(new Set([0, 1]));
  expect(eventsOf(whole).map(({ incident }) => incident?.validators)).toEqual(NAMES.map(() => 14));
  const ignored = eventsOf(whole)
    .slice(0, 5)
    .map(({ id }, place) => ruling(entries[2 * place + 2]!, { event: id }));
  const broken = expectTouchedToSuffice([...entries, ...ignored]);
  expect(eventsOf(broken).map(({ incident }) => incident)).toEqual(NAMES.slice(5).map(() => null));
});
