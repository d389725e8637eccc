import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/**
 * A port of the loopback that nobody listens on just now,
 * for programs that cannot say which one they were given.
 */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
