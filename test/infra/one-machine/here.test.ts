import { describe, expect, it } from "vitest";
import { readServices } from "../../../infra/one-machine/compose-file.ts";
import { planHere } from "../../../infra/one-machine/here.ts";
import { interpolate } from "../../../infra/one-machine/interpolate.ts";

describe("a variable of a compose file", () => {
  it.each([
    ["${NAME}", "value"],
    ["a ${NAME:-other} b", "a value b"],
    ["${EMPTY:-other}", "other"],
    ["${ABSENT}", ""],
    ["${NAME:?must be there}", "value"],
    ["$$NAME and $${NAME}", "$NAME and ${NAME}"],
    ["$1 & $NAME", "$1 & $NAME"],
  ])("%s is «%s»", (text, filled) => {
    expect(interpolate(text, { NAME: "value", EMPTY: "" })).toBe(filled);
  });

  it("is not read a second time in what it is filled with", () => {
    expect(interpolate("${NAME}", { NAME: "${OTHER} $$ $&" })).toBe("${OTHER} $$ $&");
  });

  it("that must be set and is not is named, with what to do", () => {
    expect(() => interpolate("${EMPTY:?set it}", { EMPTY: "" })).toThrow("EMPTY is empty: set it.");
  });
});

describe("a service as a process of this machine", () => {
  const text = `
services:
  web:
    command: [serve, --listen, "0.0.0.0:80", --data, /data/, --ask, "http://base:5432/x"]
    expose: ["80"]
    environment: { HOST: 0.0.0.0, PORT: "80", LIMIT: "8080", URL: "redis://:80secret80@base:5432", OWN: /data/own, OTHER: /database }
    volumes: ["data:/data"]
  base:
    command: [keep]
    expose: ["5432"]
`;
  const places = {
    ports: new Map([
      ["web", 41_000],
      ["base", 42_000],
    ]),
    directories: new Map([["web", new Map([["/data", "/tmp/here"]])]]),
  };

  it("has its own port, that of others and its directories here, and all else as it stands", () => {
    expect(planHere("web", readServices(text, {}), places)).toEqual({
      program: "serve",
      args: ["--listen", "127.0.0.1:41000", "--data", "/tmp/here/", "--ask", "http://127.0.0.1:42000/x"],
      environment: {
        HOST: "127.0.0.1",
        PORT: "41000",
        LIMIT: "8080",
        URL: "redis://:80secret80@127.0.0.1:42000",
        OWN: "/tmp/here/own",
        OTHER: "/database",
      },
    });
  });

  it("starts something, or is refused", () => {
    expect(() => planHere("idle", readServices("services: { idle: {} }", {}), places)).toThrow("idle says nothing");
  });
});
