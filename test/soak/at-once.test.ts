import "./at-once.ts";
import { setImmediate as eventLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { packLines, unpackLines } from "../../generator/journal/pack-lines.ts";
import { compress, decompress } from "../../generator/store/zstd.ts";
import { letRivalsRun, EPOCHS } from "./rivals.ts";
import { createWorld } from "./world.ts";

const LINES = ["the first", "", "the last"];
const LIMITS = { bytesMax: 1_000, lineBytesMax: 100 };

describe("nobody waits for another thread", () => {
  it("when bytes are compressed and unpacked", async () => {
    const texts: string[] = [];
    const task = compress(Buffer.from("all of it"))
      .then((packed) => decompress(packed, LIMITS))
      .then((bytes) => texts.push(bytes.toString()));
    await eventLoop();
    expect(texts).toEqual(["all of it"]);
    await task;
  });

  it("when lines are packed and unpacked", async () => {
    const texts: string[] = [];
    const task = packAndUnpack((text) => texts.push(text));
    await eventLoop();
    expect(texts).toEqual(LINES);
    await task;
  });

  it("so that a seed tells the same story each time", async () => {
    const world = createWorld(12, { epochs: EPOCHS });
    const tell = async () => (await letRivalsRun({ world, generators: 3, seed: 796 })).appended;
    const story = await tell();
    expect(story.length).toBeGreaterThan(10);
    for (let again = 0; again < 3; again += 1) expect(await tell()).toEqual(story);
  });

  it("and what is cut, damaged or goes on is still refused", async () => {
    const packed = await packLines(toLines());
    for (const wrong of [packed.subarray(0, -3), packed.toReversed(), Buffer.concat([packed, packed])])
      await expect(Array.fromAsync(unpackLines(wrong, LIMITS))).rejects.toThrow(/./);
  });
});

async function packAndUnpack(onLine: (text: string) => void): Promise<void> {
  const packed = await packLines(toLines());
  for await (const line of unpackLines(packed, LIMITS)) onLine(Buffer.from(line).toString());
}

async function* toLines(): AsyncGenerator<Uint8Array> {
  for (const line of LINES) yield await Promise.resolve(Buffer.from(line));
}
