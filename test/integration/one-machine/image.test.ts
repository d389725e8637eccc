import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDirectory } from "../../store/directory.ts";

/* What the image's Dockerfile copies is enough for what it runs. Docker itself is not needed. */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);

interface Stage {
  name: string;
  /** Files and folders of the project that the stage copies. */
  copied: string[];
}

describe("the image", () => {
  it("copies nothing that .dockerignore leaves out", async () => {
    const lines = (await readFile(join(ROOT, ".dockerignore"), "utf8")).split("\n");
    const sent = lines.flatMap((line) => (line.startsWith("!") ? line.slice(1) : []));
    const isSent = (path: string) => sent.some((one) => path === one || path.startsWith(`${one}/`));
    const copied = (await readStages()).flatMap((stage) => stage.copied);
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((path) => !isSent(path))).toEqual([]);
  });

  it("builds the site of what it copies", async () => {
    const directory = await copyStage("site");
    await run("npm", ["run", "build:site"], {
      cwd: directory,
      env: { ...process.env, RUGWATCH_CONTACT: "mailto:operator@example.org" },
    });
    const page = await readFile(join(directory, "public/dist/index.html"), "utf8");
    expect(page).toContain('<script type="module"');
  });

  it.each(["generator/main.ts", "proxy/main.ts", "infra/buckets.ts"])(
    "starts %s of what it copies",
    async (program) => {
      const directory = await copyStage("");
      const { stdout } = await run(process.execPath, [program, "--help"], { cwd: directory });
      expect(stdout).toMatch(/^Usage: /);
    },
  );
});

async function readStages(): Promise<Stage[]> {
  const text = await readFile(join(ROOT, "infra/Dockerfile"), "utf8");
  return text
    .split(/^FROM /m)
    .slice(1)
    .map((stage) => ({
      name: /^\S+ AS (\S+)/.exec(stage)?.[1] ?? "",
      copied: [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
        paths.split(" "),
      ),
    }));
}

/** A directory with the stage's files and this project's packages. */
async function copyStage(name: string): Promise<string> {
  const stage = (await readStages()).find((one) => one.name === name);
  if (stage === undefined) throw new Error(`infra/Dockerfile has no stage "${name}"`);
  const { directory, remove } = await makeDirectory();
  onTestFinished(remove);
  for (const path of stage.copied) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await cp(join(ROOT, path), join(directory, path), {
      recursive: true,
      filter: (source) => !source.includes("node_modules") && !source.endsWith("/dist"),
    });
  }
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return directory;
}
