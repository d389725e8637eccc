import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { playWorld } from "./worlds.ts";

/* Plays the worlds of JUDGE_WORLDS, by spaces, and keeps what each publishes in the folder JUDGE_OUT (main.ts). */

const { JUDGE_WORLDS = "", JUDGE_OUT = "" } = process.env;

it.each(JUDGE_WORLDS.split(" "))("what is published of %s is kept", async (world) => {
  const published = await playWorld(world);
  expect(Object.keys(published)).not.toEqual([]);
  await mkdir(JUDGE_OUT, { recursive: true });
  await writeFile(join(JUDGE_OUT, `${world}.json`), JSON.stringify(published));
});
