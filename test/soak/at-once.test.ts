import "./at-once.ts";
import { expect, it } from "vitest";
import { packLines, unpackLines } from "../../generator/journal/pack-lines.ts";
import { letRivalsRun, EPOCHS } from "./rivals.ts";
import { createWorld } from "./world.ts";

it("a seed tells the same story each time, as nobody waits for another thread", async () => {
  const world = createWorld(12, { epochs: EPOCHS });
  const tell = async () => (await letRivalsRun({ world, generators: 3, seed: 796 })).appended;
  const story = await tell();
  expect(story.length).toBeGreaterThan(10);
  for (let again = 0; again < 3; again += 1) expect(await tell()).toEqual(story);
});

it("what is cut, damaged or goes on is still refused", async () => {
  const lines = (async function* () {
    for (const line of ["the first", "", "the last"])
      yield await Promise.resolve(Buffer.from(line));
  })();
  const packed = await packLines(lines);
  const unpack = (bytes: Uint8Array) => Array.fromAsync(unpackLines(bytes, { lineBytesMax: 100 }));
  expect(await unpack(packed)).toHaveLength(3);
  for (const wrong of [
    packed.subarray(0, -3),
    packed.toReversed(),
    Buffer.concat([packed, packed]),
  ])
    await expect(unpack(wrong)).rejects.toThrow(/./);
});
