import { describe, expect, it } from "vitest";
import { toFragments } from "../../../proxy/cache/fragments.ts";

const VALUES = [{ name: "one" }, { name: "zwölf ✓ 💫" }, null, ["a,b"], 5];
const fragments = toFragments(VALUES);

function read(bytes: Uint8Array): unknown {
  return JSON.parse(`[${new TextDecoder("utf-8", { fatal: true }).decode(bytes)}]`);
}

describe("serialised values", () => {
  it("are given by range as slice gives them, past the end too", () => {
    for (let from = 0; from <= VALUES.length + 1; from += 1)
      for (let to = 0; to <= VALUES.length + 2; to += 1)
        expect(read(fragments.range(from, to))).toEqual(VALUES.slice(from, to));
    expect(read(fragments.range(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 100))).toEqual([]);
  });

  it.each([[[]], [[0]], [[4]], [[1, 3]], [[4, 1, 1, 0]]])("are given by place: %j", (places) => {
    expect(read(fragments.pick(places))).toEqual(places.map((place) => VALUES[place]));
  });

  it("may be none", () => {
    expect([toFragments([]).count, read(toFragments([]).range(0, 50))]).toEqual([0, []]);
  });
});
