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

test("a value comes back as it was, its columns too", async () => {
  const value = makeValue();
  expect(await deserialize(await serialize(value), { bytesMax })).toEqual(value);
});

test("each column comes back with memory of its own", async () => {
  const { ranks, stakes } = (await deserialize(await serialize(makeValue()), { bytesMax })) as ReturnType<
    typeof makeValue
  >;
  const sizes = [...ranks.values(), ...stakes.values()].map(({ buffer }) => buffer.byteLength);
  expect(sizes).toEqual([2 * MEGABYTES, 2 * MEGABYTES, 2 * MEGABYTES, 16]);
});

test("a part of a large buffer is packed alone", async () => {
  const part = Uint16Array.of(1, 2, 3, 4).subarray(1, 3);
  expect(await deserialize(await serialize(part), { bytesMax })).toEqual(Uint16Array.of(2, 3));
});

test("a typed array that is no column is refused", async () => {
  await expect(serialize({ bytes: Uint8Array.of(1) })).rejects.toThrow("no column");
});

test("what was cut anywhere is refused", async () => {
  const packed = await serialize(makeValue());
  for (const length of [3, 4, 100, packed.length - 1])
    await expect(deserialize(packed.subarray(0, length), { bytesMax }), String(length)).rejects.toThrow("it is cut");
  await expect(deserialize(new Uint8Array(), { bytesMax })).rejects.toThrow("it is empty");
});

test("a block that is missing, or one too many, is refused", async () => {
  const packed = Buffer.from(await serialize(makeValue()));
  const first = 4 + packed.readUInt32LE(0);
  await expect(deserialize(packed.subarray(0, first), { bytesMax })).rejects.toThrow("missing");
  const again = Buffer.concat([packed, packed.subarray(first)]);
  await expect(deserialize(again, { bytesMax })).rejects.toThrow("do not match");
});

test("a flipped bit is found", async () => {
  const packed = await serialize(makeValue());
  packed[packed.length - 1]! ^= 1;
  await expect(deserialize(packed, { bytesMax })).rejects.toThrow();
});

test("what unpacks to more than allowed is refused, before its columns are made", async () => {
  await expect(deserialize(await serialize(makeValue()), { bytesMax: 5 * MEGABYTES })).rejects.toThrow("too long");
});

test("a compressed object that was not packed is refused", async () => {
  await expect(deserialize(await compress(Buffer.from("{}")), { bytesMax })).rejects.toThrow();
});
