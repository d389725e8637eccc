import { describe, expect, it } from "vitest";
import { toAnswer } from "../../../proxy/answers/answer.ts";
import { createVariants } from "../../../proxy/answers/compress.ts";
import { createRemembered } from "../../../proxy/fast-lane/remembered.ts";
import { createNegotiation } from "../../../proxy/http/negotiation.ts";

const negotiation = createNegotiation(createVariants({ log: () => undefined }));

function toSource(freshUntil: number) {
  return { reading: { value: toAnswer("{}", "snapshot"), stale: false, ageSeconds: 0, freshUntil }, negotiation };
}

describe("what was answered a moment ago", () => {
  it("is found until its reading is due, and by a clock that was set back not at all", () => {
    let now = 100;
    const remembered = createRemembered(() => now);
    remembered.add("/a", toSource(1_000));
    now = 999;
    expect(remembered.find("/a")?.reading.freshUntil).toBe(1_000);
    now = 1_000;
    expect(remembered.find("/a")).toBeNull();
    now = 999;
    expect(remembered.find("/a")).toBeNull();
    remembered.add("/a", toSource(2_000));
    now = 998;
    expect(remembered.find("/a")).toBeNull();
  });

  it("is not remembered when it is due already", () => {
    const remembered = createRemembered(() => 100);
    remembered.add("/old", toSource(100));
    expect(remembered.find("/old")).toBeNull();
  });

  it("counts what a stranger wrote into a target among its bytes", () => {
    const remembered = createRemembered(() => 100);
    remembered.add("/known", toSource(1_000));
    for (let number = 0; number < 3_000; number += 1)
      remembered.add(`/long?${number}${"x".repeat(8_000)}`, toSource(1_000));
    expect(remembered.find("/known")).toBeNull();
  });
});
