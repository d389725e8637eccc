import { describe, expect, it } from "vitest";
import { toListenError } from "../../generator/operations/listen.ts";

const PLACE = { port: 80, host: "h", portVariable: "METRICS_PORT", hostVariable: "METRICS_HOST" } as const;
const fail = (code: string) => Object.assign(new Error("listen failed"), { code });

describe("a server that cannot listen", () => {
  it.each([
    ["EADDRINUSE", "Port 80 of h is taken: set METRICS_PORT to another one."],
    ["EACCES", "Port 80 of h is not for this user: set METRICS_PORT to one above 1023."],
    ["EADDRNOTAVAIL", "h is no address of this machine: set METRICS_HOST to one, or to 0.0.0.0 for all."],
    ["ENOTFOUND", "h is no address of this machine: set METRICS_HOST to one, or to 0.0.0.0 for all."],
    ["EMFILE", "listen failed"],
  ])("says of %s what to set", (code, message) => {
    expect(toListenError(fail(code), PLACE).message).toBe(message);
  });
});
