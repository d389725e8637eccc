import { link, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies a folder by giving each file a second name: in no time, and with the same ETags. The copy may be used as a store,
 * which replaces files and never writes into one.
 */
export async function linkCopy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const child of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, child.name), join(to, child.name)];
    await (child.isDirectory() ? linkCopy(source, target) : link(source, target));
  }
}
