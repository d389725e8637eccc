import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { extendShape, type Shape } from "./shape-rules.ts";

/** The committed shape that every later v1 must keep. */
export const FROZEN_SHAPE_FILE = new URL("v1.shape.json", import.meta.url);

/** @throws Error when there is no such file: it is never begun anew, that would drop what was promised */
export async function readShape(file: URL): Promise<Shape> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, "utf8")));
}

/**
 * Adds to the file what the current shape has beside it. Nothing is ever taken out or changed.
 *
 * @returns the paths that were added or gained a value
 * @throws Error that lists the breaks, the file untouched, when the current shape breaks the frozen one
 */
export async function extendShapeFile(file: URL, current: Shape): Promise<string[]> {
  const frozen = await readShape(file);
  const extended = extendShape(frozen, current);
  const unfinished = new URL(`${file.href}.new`);
  await writeFile(unfinished, `${JSON.stringify(extended, null, 2)}\n`);
  await rename(unfinished, file);
  return Object.keys(extended).filter((path) => extended[path] !== frozen[path]);
}
