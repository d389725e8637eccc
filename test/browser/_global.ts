import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { buildSite } from "../../infra/demo/site.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { makeDirectory } from "../store/directory.ts";
import { replayStory, simulateStory } from "./story.ts";
import { isPresent } from "../required.ts";

export interface Ready {
  browserUrl: string;
  siteDirectory: string;
  publicStore: string;
  /** Epoch milliseconds; the end of the story. */
  now: number;
  rpcUrls: Partial<Record<Network, string[]>>;
}

declare module "vitest" {
  interface ProvidedContext {
    /** null: no Chromium, so nothing to test in. */
    ready: Ready | null;
  }
}

/** The headless shell first: pages take half the time in it. */
const CHROMIUM_NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** No name resolves: no request of a page leaves this machine. */
const OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** Builds the site, publishes a story and starts a browser, once for all files. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium();
  if (!isPresent("Chromium", executablePath !== null) || executablePath === null) {
    project.vitest.logger.warn(
      "No Chromium, so nothing is tested in a browser: .ci/install-chromium installs it, RUGWATCH_TEST_CHROMIUM names one.",
    );
    project.provide("ready", null);
    return undefined;
  }
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const tell = project.name === "smoke" ? replayStory : simulateStory;
    // Else the pages are as deployed, without the line that says that they are the demo's.
    if (tell !== replayStory) process.env["RUGWATCH_DEMONSTRATION"] = "";
    project.provide("ready", await prepare(executablePath, tell, closers));
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

async function prepare(
  executablePath: string,
  tell: typeof simulateStory,
  closers: (() => Promise<void>)[],
): Promise<Ready> {
  const { directory, remove } = await makeDirectory();
  closers.push(remove);
  const telling = tell(directory);
  closers.push(() =>
    telling.then(
      (story) => story.close(),
      () => undefined,
    ),
  );
  const [siteDirectory, story] = await Promise.all([build(join(directory, "site")), telling]);
  const browser = await chromium.launchServer({
    executablePath,
    host: "127.0.0.1",
    args: ["--disable-gpu", OFFLINE],
  });
  closers.push(() => browser.close());
  return {
    browserUrl: browser.wsEndpoint(),
    siteDirectory,
    publicStore: `file:${join(directory, "public")}`,
    now: story.now,
    rpcUrls: story.rpcUrls,
  };
}

async function build(directory: string): Promise<string> {
  process.env["RUGWATCH_REPOSITORY_URL"] = "https://forge.example/rugwatch";
  process.env["RUGWATCH_SITE_URL"] = "https://rugwatch.example/";
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const built = await buildSite({ directory, signal: new AbortController().signal, say });
  if (built === null) throw new Error(said.join("\n"));
  return built;
}

/** null: none. */
function findChromium(): string | null {
  const { RUGWATCH_TEST_CHROMIUM: given = "", PATH: path = "" } = process.env;
  if (given !== "") return given;
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return (
    CHROMIUM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
      existsSync(file),
    ) ?? null
  );
}
