import { describe, expect, it } from "vitest";
import { getAnswer, toSnapshot } from "../../../proxy/cache/snapshot.ts";
import { makeIndex } from "../fixtures.ts";

describe("the answers of a snapshot", () => {
  it("are put together once each", () => {
    const { answers } = toSnapshot(makeIndex());
    let times = 0;
    const ask = () =>
      getAnswer(answers, { key: "page", cache: "snapshot", toBody: () => Buffer.from(`{"times":${(times += 1)}}`) });
    expect(ask()).toBe(ask());
    expect(times).toBe(1);
  });
});
