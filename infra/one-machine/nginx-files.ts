import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILES = join(import.meta.dirname, "../nginx");

export interface NginxPlace {
  /** Where the files go, and where nginx may write. */
  directory: string;
  /** `ADDRESS:PORT` that nginx listens on. */
  listen: string;
  /** `ADDRESS:PORT` of the proxy; an address of digits, for nobody here resolves names as Docker does. */
  proxy: string;
  /** Whose X-Forwarded-For tells the client's address, for one who plays many; by default nobody's. */
  terminator?: string;
}

/**
 * Copies nginx' configuration with the addresses of this place in addresses.conf. Nothing else is changed but where it logs: what
 * a process of Node's has for its standard output is a socket, which cannot be opened by name.
 *
 * @returns the arguments to start nginx with
 * @throws {Error} when the files do not read as is supposed here
 */
export async function placeNginx({ directory, listen, proxy, terminator }: NginxPlace): Promise<string[]> {
  const configuration = join(directory, "configuration");
  const written = join(directory, "written");
  await cp(FILES, configuration, { recursive: true });
  await mkdir(written, { recursive: true });
  // Started by root, nginx works as another user.
  for (const open of [directory, written]) await chmod(open, 0o755);

  const terminated = terminator === undefined ? "" : `set_real_ip_from ${terminator}; real_ip_header X-Forwarded-For;`;
  await replaceIn(join(configuration, "addresses.conf"), [
    ["listen 8080;", `listen ${listen}; ${terminated}`],
    ["set $proxy proxy:8080;", `set $proxy ${proxy};`],
  ]);
  await replaceIn(join(configuration, "nginx.conf"), [["access_log /dev/stdout ", "access_log trouble.log "]]);
  return ["-p", `${written}/`, "-c", join(configuration, "nginx.conf")];
}

async function replaceIn(
  file: string,
  replacements: readonly (readonly [there: string, here: string])[],
): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const [there, here] of replacements) {
    if (!text.includes(there)) throw new Error(`${file} has no «${there}» to put «${here}» in its place.`);
    text = text.replace(there, () => here);
  }
  await writeFile(file, text);
}
