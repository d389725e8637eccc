import { describe, expect, it } from "vitest";
import { assertObject, toContent } from "../../generator/contract/object-content.ts";
import type { ObjectReference } from "../../generator/contract/objects.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { ledgerOf } from "../documents/fixtures.ts";

const { render } = createRenderer(ledgerOf({ validators: [{ name: "one" }], events: [{ of: "one" }] }));

const ATOM: ObjectReference = { kind: "atomFeed", names: { feed: "rug" } };
const JSON_FEED: ObjectReference = { kind: "jsonFeed", names: { feed: "rug" } };
const INDEX: ObjectReference = { kind: "index", names: {} };
const EVENTS: ObjectReference = { kind: "events", names: {} };
const ALL = [ATOM, JSON_FEED, INDEX, EVENTS];

describe("bytes of the public store", () => {
  it.each(ALL)("are taken for what they are: $kind", (reference) => {
    expect(() => assertObject("mainnet", reference, render(reference)!)).not.toThrow();
  });

  it.each(ALL)("are not taken for those of another network: $kind", (reference) => {
    expect(() => assertObject("testnet", reference, render(reference)!)).toThrow();
  });

  it.each(ALL)("are not taken for anything when they are cut: $kind", (reference) => {
    const body = render(reference)!;
    for (const length of [0, 1, body.length - 1])
      expect(() => assertObject("mainnet", reference, body.subarray(0, length)), String(length)).toThrow();
  });

  it("are not taken for another feed", () => {
    expect(() => assertObject("mainnet", { kind: "atomFeed", names: { feed: "info" } }, render(ATOM)!)).toThrow(
      "it is not feeds/mainnet/info.atom",
    );
  });

  it("hold text, or what JSON says", () => {
    expect(toContent("atomFeed", Buffer.from("<feed/>"))).toBe("<feed/>");
    expect(toContent("jsonFeed", Buffer.from('{"a":1}'))).toEqual({ a: 1 });
    expect(() => toContent("atomFeed", Uint8Array.of(0xff))).toThrow();
  });
});
