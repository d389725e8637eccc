import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, readdir, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const PROJECT = join(import.meta.dirname, "../..");
const TOOLS = join(PROJECT, ".data/tools/bin");

/**
 * Makes a directory to be the first in PATH, in which programs that images bring have the names that they have there: valkey-server,
 * which may be here as redis-server, and versitygw, which .ci/install-s3 builds.
 *
 * @throws {Error} naming what is missing, and how to get it
 */
export async function linkPrograms(directory: string, path: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const find = (name: string) => findProgram(name, path);
  const valkey = (await find("valkey-server")) ?? (await find("redis-server"));
  if (valkey === null)
    throw new Error(
      "There is no valkey-server or redis-server in PATH: .ci/install-package redis-server installs Debian's.",
    );
  if ((await find("nginx")) === null)
    throw new Error("There is no nginx in PATH: .ci/install-package nginx installs Debian's.");
  await promisify(execFile)(join(PROJECT, ".ci/install-s3"));
  const versitygw =
    (await readdir(TOOLS))
      .filter((name) => name.startsWith("versitygw-"))
      .toSorted()
      .at(-1) ?? "";
  const programs = { "valkey-server": valkey, versitygw: join(TOOLS, versitygw), node: process.execPath };
  for (const [name, program] of Object.entries(programs)) await symlink(program, join(directory, name));
}

async function findProgram(name: string, path: string): Promise<string | null> {
  for (const directory of path.split(delimiter)) {
    const program = join(directory, name);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return null;
}
