import { createServer, type AddressInfo, type Server } from "node:net";

interface Place {
  port: number;
  host: string;
}

/**
 * @returns the URL, without a slash at the end.
 * @throws {Error} naming the port that is taken, and the variable to set
 */
export async function listen(
  server: Server,
  place: Place,
  prefix: "" | "METRICS_" = "",
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, place, prefix)));
    server.listen(place.port, place.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/** For programs with long work before they listen. @throws {Error} naming the port that is taken */
export async function assertPortFree(place: Place): Promise<void> {
  const probe = createServer();
  await listen(probe, place);
  await new Promise((resolve) => probe.close(resolve));
}

export function toListenError(
  cause: Error,
  { port, host }: Place,
  prefix: "" | "METRICS_" = "",
): Error {
  const place = `Port ${port} of ${host}`;
  const noAddress = `${host} is no address of this machine: set ${prefix}HOST to one, or to 0.0.0.0 for all.`;
  const messages: Record<string, string> = {
    EADDRINUSE: `${place} is taken: set ${prefix}PORT to another one.`,
    EACCES: `${place} is not for this user: set ${prefix}PORT to one above 1023.`,
    ENOTFOUND: noAddress,
    EADDRNOTAVAIL: noAddress,
    EAI_AGAIN: noAddress,
  };
  const message = messages["code" in cause ? String(cause.code) : ""];
  return message === undefined ? cause : new Error(message, { cause });
}
