import { describe, expect, it } from "vitest";
import { findHeldEtag, isMatched } from "../../../proxy/http/negotiation.ts";

const OURS = ['"one"', '"two"'];

describe("If-None-Match", () => {
  it.each([
    ['"one"', '"one"'],
    ['W/"two"', '"two"'],
    ['"other", "two"', '"two"'],
    ['"two", "one"', '"two"'],
    ['"with, comma","one"', '"one"'],
    [' ,, "other" , ,W/"one",', '"one"'],
    ["*", '"one"'],
    [" * ", '"one"'],
  ])("%j names %j", (header, etag) => {
    expect(findHeldEtag(header, OURS)).toBe(etag);
  });

  it.each([
    "",
    ",",
    "one",
    '"one',
    'one"',
    '"One"',
    'w/"one"',
    'W / "one"',
    '"other"',
    '"other"one"',
    '"other" "one"',
    '"other;"one"',
    '*, "other"',
    '"*"',
    "'one'",
  ])("%j names none of ours", (header) => {
    expect(findHeldEtag(header, OURS)).toBeNull();
  });

  it("is read up to where it is malformed", () => {
    expect(findHeldEtag('"one", garbage', OURS)).toBe('"one"');
    expect(findHeldEtag('garbage, "one"', OURS)).toBeNull();
  });

  it.each([" ", ",", '"', 'W/"', '"",', '"" ', ", ", '"a" W/'])(
    "takes time linear in its length: %j again and again",
    (piece) => {
      const toMilliseconds = (pieces: number) => {
        const header = `${piece.repeat(pieces)}!`;
        // Of this thread alone: what else the machine has to do does not count.
        const before = process.threadCpuUsage().user;
        for (let time = 0; time < 20; time++) findHeldEtag(header, OURS);
        return (process.threadCpuUsage().user - before) / 1_000;
      };
      toMilliseconds(1_000);
      // 16 times the length would be 256 times the time, were it quadratic: 40,000 characters took seconds.
      expect(toMilliseconds(16_000)).toBeLessThan(100 + 64 * toMilliseconds(1_000));
    },
  );
});

describe("If-Match", () => {
  it.each(['"one"', '"other", "two"', '"two",W/"one"', "*", " * "])("%j holds", (header) => {
    expect(isMatched(header, OURS)).toBe(true);
  });

  it.each(["", 'W/"one"', '"other"', "one", '*, "other"', 'W/"one", W/"two"', 'garbage, "one"'])(
    "%j does not",
    (header) => {
      expect(isMatched(header, OURS)).toBe(false);
    },
  );
});
