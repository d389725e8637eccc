import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** As Debian, Ubuntu and Google call it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where a Chromium is that RUGWATCH_TEST_CHROMIUM names or PATH leads to; null: there is none. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | null {
  const { RUGWATCH_TEST_CHROMIUM: given = "", PATH: path = "" } = environment;
  if (given !== "") return given;
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not here, or not for us.
    return false;
  }
}
