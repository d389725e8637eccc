/** Where a server was to listen, and the variables that say so. */
interface Place {
  port: number;
  host: string;
  portVariable: "PORT" | "METRICS_PORT";
  hostVariable: "HOST" | "METRICS_HOST";
}

const NOT_HERE = new Set(["ENOTFOUND", "EADDRNOTAVAIL", "EAI_AGAIN"]);

/** What an operator is told of a server that could not listen: what is wrong, and which variable to set. */
export function toListenError(cause: unknown, { port, host, portVariable, hostVariable }: Place): Error {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "EADDRINUSE")
    return new Error(`Port ${port} of ${host} is taken: set ${portVariable} to another one.`, { cause });
  if (code === "EACCES")
    return new Error(`Port ${port} of ${host} is not for this user: set ${portVariable} to one above 1023.`, { cause });
  if (NOT_HERE.has(code))
    return new Error(`${host} is no address of this machine: set ${hostVariable} to one, or to 0.0.0.0 for all.`, {
      cause,
    });
  return cause instanceof Error ? cause : new Error(String(cause));
}
