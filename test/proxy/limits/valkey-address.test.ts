import { describe, expect, it } from "vitest";
import { parseValkeyAddress } from "../../../proxy/settings.ts";

const PLAIN = { host: "cache.example", port: 6379, tls: false, username: undefined, password: undefined, database: 0 };

describe("the address of a server of Valkey or Redis", () => {
  it.each([
    ["redis://cache.example", PLAIN],
    ["valkey://cache.example/", PLAIN],
    ["rediss://cache.example", { ...PLAIN, tls: true }],
    ["valkeys://cache.example:7000/15", { ...PLAIN, tls: true, port: 7000, database: 15 }],
    ["redis://:s3cret@cache.example", { ...PLAIN, password: "s3cret" }],
    ["valkey://user:p%40ss%3Aword@cache.example", { ...PLAIN, username: "user", password: "p@ss:word" }],
    ["redis://[::1]:6380/2", { ...PLAIN, host: "::1", port: 6380, database: 2 }],
    ["redis://127.0.0.1", { ...PLAIN, host: "127.0.0.1" }],
  ])("may be %s", (text, address) => expect(parseValkeyAddress(text)).toEqual(address));

  it.each([
    "",
    "cache.example",
    "cache.example:6379",
    "http://cache.example",
    "unix:///run/valkey.sock",
    "redis://",
    "redis:///1",
    "redis://cache.example:70000",
    "redis://cache.example/one",
    "redis://cache.example/-1",
    "redis://cache.example/1/2",
    "redis://cache.example?db=1",
    "redis://cache.example#1",
    "redis://user@cache.example",
    "redis://:%E0%A4%A@cache.example",
    "redis://one.example,redis://two.example",
  ])("is not %j", (text) => expect(parseValkeyAddress(text)).toBeNull());
});
