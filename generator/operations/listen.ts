import type { AddressInfo, Server } from "node:net";

/** Where a server is to listen, and the variables that say so. */
export interface Place {
  /** 0: any free port. */
  port: number;
  host: string;
  portVariable: "PORT" | "METRICS_PORT";
  hostVariable: "HOST" | "METRICS_HOST";
}

/** Listens, and gives where, without a slash behind it. @throws {Error} naming the port that is taken */
export async function listen(server: Server, place: Place): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, place)));
    server.listen(place.port, place.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

const NOT_HERE = new Set(["ENOTFOUND", "EADDRNOTAVAIL", "EAI_AGAIN"]);

/** What an operator is told of a server that could not listen: what is wrong, and which variable to set. */
export function toListenError(cause: Error, { port, host, portVariable, hostVariable }: Place): Error {
  const code = "code" in cause ? String(cause.code) : "";
  if (code === "EADDRINUSE")
    return new Error(`Port ${port} of ${host} is taken: set ${portVariable} to another one.`, { cause });
  if (code === "EACCES")
    return new Error(`Port ${port} of ${host} is not for this user: set ${portVariable} to one above 1023.`, { cause });
  if (!NOT_HERE.has(code)) return cause;
  const message = `${host} is no address of this machine: set ${hostVariable} to one, or to 0.0.0.0 for all.`;
  return new Error(message, { cause });
}
