import { describe, expect, it } from "vitest";
import { toAnswer } from "../../../proxy/cache/answer.ts";
import { createRepeatedAnswers } from "../../../proxy/cache/snapshot.ts";

const MAX_BYTES = 100_000;
const answer = toAnswer(new Uint8Array(6_000), "snapshot");

describe("answers of which most are asked for once", () => {
  it("are kept from the second asking on", () => {
    const answers = createRepeatedAnswers(MAX_BYTES);
    answers.offer("a", answer);
    expect(answers.get("a")).toBeUndefined();
    answers.offer("a", answer);
    expect(answers.get("a")).toBe(answer);
    expect(answers.bytes).toBeGreaterThan(6_000);
  });

  it("are not kept when thousands of others were asked for between", () => {
    const answers = createRepeatedAnswers(MAX_BYTES);
    for (let turn = 0; turn < 2; turn += 1)
      for (let text = 0; text < 5_000; text += 1) answers.offer(`text ${text}`, answer);
    expect(answers.bytes).toBe(0);
  });

  it("take no more than their bytes, and the one not asked for for longest goes first", () => {
    const answers = createRepeatedAnswers(MAX_BYTES);
    for (let text = 0; text < 100; text += 1) {
      answers.offer(`text ${text}`, answer);
      answers.offer(`text ${text}`, answer);
      if (text > 0) expect(answers.get("text 0")).toBe(answer);
    }
    expect(answers.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(answers.get("text 1")).toBeUndefined();
    expect(answers.get("text 99")).toBe(answer);
  });
});
