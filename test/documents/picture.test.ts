import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { EPOCH, ledgerOf, recordCommissions, voteOf, type EventFacts } from "./fixtures.ts";

const VOTE = voteOf("A");

/** Rates in basis points, the newest last, of epochs up to the newest. */
function ledgerPaying(rates: readonly number[], events: EventFacts[] = []): Ledger {
  const now = rates.at(-1) ?? 0;
  const ledger = ledgerOf({
    validators: [{ name: "A", commissionBasisPoints: now, firstEpoch: EPOCH - rates.length + 1 }],
    events,
  });
  for (const [index, inflation] of rates.entries())
    recordCommissions(ledger, "A", { [EPOCH - rates.length + 1 + index]: { inflation } });
  return ledger;
}

interface Picture {
  width: number;
  height: number;
  /** "#rrggbb" of a pixel. */
  at: (x: number, y: number) => string;
  bytes: number;
}

/** Reads the chunks of an indexed PNG with four bits a pixel and no filters. */
function draw(ledger: Ledger): Picture {
  const png = Buffer.from(
    createRenderer(ledger).render({ kind: "picture", names: { votePubkey: VOTE } })!,
  );
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const [header, palette] = [chunks.get("IHDR")!, chunks.get("PLTE")!];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get("IDAT")!);
  const at = (x: number, y: number) => {
    const pair = lines[y * (1 + width / 2) + 1 + Math.floor(x / 2)]!;
    const color = x % 2 === 0 ? pair >> 4 : pair & 15;
    return `#${palette.toString("hex", 3 * color, 3 * color + 3)}`;
  };
  return { width, height, at, bytes: png.length };
}

const [BAD, GOOD] = ["#c01c28", "#1a7f37"];
const [GROUND, PAID, AREA] = ["#ffffff", "#0b5f66", "#d9e7e8"];
/** The heights of rates, as the frame puts them: 100 % at 88 pixels, 0 % at 380. */
const heightOf = (percent: number) => Math.round(88 + 292 * (1 - percent / 100));

it("has the verdict's colour above a drawing from 0 to 100 %, whatever the rates are", () => {
  const quiet = draw(ledgerPaying(Array<number>(40).fill(1_000)));
  expect([quiet.width, quiet.height]).toEqual([800, 420]);
  expect(quiet.at(400, 20)).toBe(GOOD);
  expect(quiet.at(700, heightOf(10))).toBe(PAID);
  expect(quiet.at(700, heightOf(5))).toBe(AREA);
  expect(quiet.at(700, heightOf(20))).toBe(GROUND);
  const event = { of: "A", effectiveEpoch: EPOCH, effectiveEpochLatest: EPOCH };
  const rates = [...Array<number>(38).fill(500), 10_000, 10_000];
  expect(draw(ledgerPaying(rates, [{ ...event, epoch: EPOCH - 1 }])).at(400, 20)).toBe(BAD);
});

it("shows the newest 30 epochs, each with what it paid", () => {
  const rates = [...Array<number>(40).fill(9_000), ...Array<number>(28).fill(1_000), 0, 0];
  const { at } = draw(ledgerPaying(rates));
  const epochX = (index: number) => Math.round(40 + (index + 0.5) * (720 / 30));
  // Rates are paid two epochs later.
  expect([1, 2].map((index) => at(epochX(index), heightOf(80)))).toEqual([AREA, GROUND]);
  expect(at(epochX(10), heightOf(5))).toBe(AREA);
  expect(at(epochX(29), heightOf(5))).toBe(AREA);
});

it("fills its width with what is known of a validator that is new", () => {
  const ledger = ledgerPaying(Array<number>(10).fill(5_000));
  // Its first two epochs are paid at a rate that nobody saw.
  expect([80, 200].map((x) => draw(ledger).at(x, heightOf(20)))).toEqual([GROUND, AREA]);
});

it("weighs less than a page, and is the same for the same facts", () => {
  const rates = Array.from({ length: 60 }, (_, index) => (index % 7) * 1_500);
  expect(draw(ledgerPaying(rates)).bytes).toBeLessThan(4_000);
  expect(draw(ledgerPaying([])).at(700, heightOf(20))).toBe(GROUND);
});
