import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to connections and to who listens on port 0. */
const [FIRST, END] = [20_000, 32_000];

/**
 * A port of the loopback that nobody listens on, nor is given by the system in the meantime:
 * for programs that cannot say which one they were given, and for those that free theirs.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
