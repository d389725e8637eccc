import { expect, test } from "vitest";
import { deserialize, serialize } from "../../generator/journal/serialization.ts";
import { compress } from "../../generator/store/zstd.ts";

const MEGABYTES = 1024 * 1024;
const bytesMax = 64 * MEGABYTES;

const makeValue = () => ({
  amount: 2n ** 63n,
  ranks: new Map([1, 2, 3].map((key) => [key, new Uint16Array(MEGABYTES).fill(key)])),
  stakes: new Map([[7, BigUint64Array.of(2n ** 64n - 1n, 0n)]]),
  empty: new Uint16Array(),
});

test("a value comes back as it was, its columns too", () => {
  const value = makeValue();
  expect(deserialize(serialize(value), { bytesMax })).toEqual(value);
});

test("each column comes back with memory of its own", () => {
  const { ranks, stakes } = deserialize(serialize(makeValue()), { bytesMax }) as ReturnType<
    typeof makeValue
  >;
  const sizes = [...ranks.values(), ...stakes.values()].map(({ buffer }) => buffer.byteLength);
  expect(sizes).toEqual([2 * MEGABYTES, 2 * MEGABYTES, 2 * MEGABYTES, 16]);
});

test("a part of a large buffer is packed alone", () => {
  const part = Uint16Array.of(1, 2, 3, 4).subarray(1, 3);
  expect(deserialize(serialize(part), { bytesMax })).toEqual(Uint16Array.of(2, 3));
});

test("a typed array that is no column is refused", () => {
  expect(() => serialize({ bytes: Int8Array.of(1) })).toThrow("no column");
});

const ANY = /./;
/** Where its first block ends. */
const firstOf = (packed: Buffer) => 4 + packed.readUInt32LE(0);

test.each<[string, (packed: Buffer) => Uint8Array, RegExp]>([
  ...[3, 4, 100, -1].map((end): [string, (packed: Buffer) => Uint8Array, RegExp] => {
    return [`was cut at ${end}`, (packed) => packed.subarray(0, end), /it is cut/];
  }),
  ["is empty", () => new Uint8Array(), /it is empty/],
  ["lacks a block", (packed) => packed.subarray(0, firstOf(packed)), /missing/],
  [
    "has a block too many",
    (packed) => Buffer.concat([packed, packed.subarray(firstOf(packed))]),
    /do not match/,
  ],
  ["has a flipped bit", (packed) => packed.with(packed.length - 1, packed.at(-1)! ^ 1), ANY],
  ["was compressed and never packed", () => compress(Buffer.from("{}")), ANY],
])("what %s is refused", (_, change, reason) => {
  const packed = change(Buffer.from(serialize(makeValue())));
  expect(() => deserialize(packed, { bytesMax })).toThrow(reason);
});

test("what unpacks to more than allowed is refused, before its columns are made", () => {
  expect(() => deserialize(serialize(makeValue()), { bytesMax: 5 * MEGABYTES })).toThrow(
    "too long",
  );
});
