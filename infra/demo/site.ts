import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../generator/contract/error-message.ts";

const PUBLIC = join(import.meta.dirname, "../../public");
/** As in public/vite.config.ts. */
const BUILT = join(PUBLIC, "dist");

/**
 * In a process of its own, beside the replay, which frees the tool's memory.
 * An old build may not fit the API. null: it cannot be built, or was stopped.
 */
export async function buildSite({
  signal,
  say,
  directory = BUILT,
}: {
  signal: AbortSignal;
  say: (line: string) => void;
  directory?: string;
}): Promise<string | null> {
  const vite = findVite();
  if (vite === null) {
    say(
      "The demo runs without the site, because Vite is not installed. Run npm ci without " +
        "--omit=dev to get it.",
    );
    return null;
  }
  say("Building the site.");
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, "build", PUBLIC, "--mode", "demo", "--outDir", directory, "--emptyOutDir"],
      { signal },
    );
    return directory;
  } catch (error) {
    if (!signal.aborted)
      say(`The demo runs without the site, because the build failed: ${messageOf(error)}`);
    return null;
  }
}

function findVite(): string | null {
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve("vite/package.json")),
      "bin/vite.js",
    );
  } catch {
    return null;
  }
}
