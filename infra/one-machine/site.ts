import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const PROJECT = join(import.meta.dirname, "../..");

/** Where Dockerfile leaves the built site, below the image's working directory. */
export const SITE_IN_IMAGE = "public/dist";

/** Builds the site, in some seconds. @param directory what lies there is replaced */
export async function buildSite(directory: string, signal: AbortSignal): Promise<void> {
  const vite = join(PROJECT, "node_modules/vite/bin/vite.js");
  const flags = ["build", join(PROJECT, "public"), "--outDir", directory, "--emptyOutDir"];
  await promisify(execFile)(process.execPath, [vite, ...flags], { signal });
}
