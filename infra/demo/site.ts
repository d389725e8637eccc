import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const PUBLIC = join(import.meta.dirname, "../../public");
/** As public/vite.config.ts has it. */
const BUILT = join(PUBLIC, "dist");

/**
 * Builds the site, in a second, and gives the directory it is in; null: it cannot be built here, and why has been said. Always
 * anew, for an old one may not fit the API. By a process of its own: the tool's memory is not the demo's.
 */
export async function buildSite({
  signal,
  say,
  directory = BUILT,
}: {
  signal: AbortSignal;
  say: (line: string) => void;
  /** Where to; what lies there is replaced. */
  directory?: string;
}): Promise<string | null> {
  const vite = findVite();
  if (vite === null) {
    say(
      "The site is not shown: Vite, which builds it, is a development dependency. npm ci installs it; the API works without.",
    );
    return null;
  }
  say("The site is being built.");
  try {
    await promisify(execFile)(process.execPath, [vite, "build", PUBLIC, "--outDir", directory, "--emptyOutDir"], {
      signal,
    });
    return directory;
  } catch (error) {
    if (signal.aborted) throw error;
    say(`The site is not shown: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function findVite(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js");
  } catch {
    // Not installed.
    return null;
  }
}
