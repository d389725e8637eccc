import { createServer, type AddressInfo, type Server } from "node:net";

interface HostPort {
  port: number;
  host: string;
}

/**
 * Starts to listen. `prefix` is that of the variables to name in errors.
 * @returns the URL, without a slash at the end
 * @throws {Error} naming the address that cannot be used, and the variable to set
 */
export async function listen(
  server: Server,
  at: HostPort,
  prefix: "" | "METRICS_" = "",
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, at, prefix)));
    server.listen(at.port, at.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

/**
 * Checks that a port is free, for programs with long work before they listen.
 * @throws {Error} naming the address that cannot be used, and the variable to set
 */
export async function assertPortFree(at: HostPort): Promise<void> {
  const probe = createServer();
  await listen(probe, at);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Explains why listening failed and which variable to set; returns `cause` itself if its code is
 * not known. `prefix` is that of the variables to name.
 */
export function toListenError(
  cause: Error,
  { port, host }: HostPort,
  prefix: "" | "METRICS_" = "",
): Error {
  const subject = `Port ${port} of ${host}`;
  const noAddress = `${host} is no address of this machine: set ${prefix}HOST to one, or to 0.0.0.0 for all.`;
  const messages: Record<string, string> = {
    EADDRINUSE: `${subject} is taken: set ${prefix}PORT to another one.`,
    EACCES: `${subject} is not for this user: set ${prefix}PORT to one above 1023.`,
    ENOTFOUND: noAddress,
    EADDRNOTAVAIL: noAddress,
    EAI_AGAIN: noAddress,
  };
  const message = messages["code" in cause ? String(cause.code) : ""];
  return message === undefined ? cause : new Error(message, { cause });
}
