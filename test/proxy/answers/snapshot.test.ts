import { describe, expect, it } from "vitest";
import { getAnswer, toSnapshot } from "../../../proxy/answers/snapshot.ts";
import { makeIndex } from "../fixtures.ts";

const SEARCHES = 5_000;
const RESULTS_BYTES = 6_000;

describe("the answers of a snapshot", () => {
  it("are put together once each", () => {
    const { answers } = toSnapshot(makeIndex());
    let times = 0;
    const ask = () =>
      getAnswer(answers, { key: "page", cache: "snapshot", toBody: () => Buffer.from(`{"times":${(times += 1)}}`) });
    expect(ask()).toBe(ask());
    expect(times).toBe(1);
  });

  it("stay when one text after the other is searched for, of which only the newest are kept", () => {
    const { answers, searches } = toSnapshot(makeIndex());
    const toBody = () => new Uint8Array(RESULTS_BYTES);
    const page = getAnswer(answers, { key: "page", cache: "snapshot", toBody });
    for (let turn = 0; turn < SEARCHES; turn += 1)
      getAnswer(searches, { key: `text ${turn}`, cache: "snapshot", toBody });
    expect(answers.peek("page")).toBe(page);
    expect(searches.peek("text 0")).toBeUndefined();
    expect(searches.peek(`text ${SEARCHES - 1}`)).toBeDefined();
    expect(searches.size).toBeLessThan(1_000);
  });
});
