import fc from "fast-check";
import { expect, test } from "vitest";
import {
  divide,
  medianOf,
  toCount,
  toPercent,
  toPercentOf,
  toPercentOrNull,
  toStake,
} from "../../generator/contract/numbers.ts";

const lamports = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const decimalPlaces = fc.constantFrom<2 | 4>(2, 4);

function longDivision(dividend: bigint, divisor: bigint, decimals: number): string {
  let digits = (dividend / divisor).toString();
  let rest = dividend % divisor;
  for (let place = 0; place < decimals; place += 1) {
    rest *= 10n;
    digits += (rest / divisor).toString();
    rest %= divisor;
  }
  const isUp = rest >= divisor - rest;
  const rounded = (BigInt(digits) + (isUp ? 1n : 0n)).toString().padStart(decimals + 1, "0");
  return `${rounded.slice(0, -decimals)}.${rounded.slice(-decimals)}`;
}

test("a share is what long division by hand gives, half up, from 0 to 100", () => {
  fc.assert(
    fc.property(lamports, lamports, decimalPlaces, (one, other, decimals) => {
      const [part, whole] = one < other ? [one, other] : [other, one];
      const byHand = whole === 0n ? 0 : Number(longDivision(part * 100n, whole, decimals));
      expect(toPercentOf(part, whole, decimals)).toBe(byHand);
      expect(byHand).toBeLessThanOrEqual(100);
    }),
    { examples: [[0n, 0n, 2]] },
  );
});

test("numbers give what the same bigints give, also where they are too large for exact arithmetic", () => {
  const count = fc.oneof(fc.nat(2000), fc.maxSafeNat());
  fc.assert(
    fc.property(count, count, decimalPlaces, (one, other, decimals) => {
      expect(divide(one, other, decimals)).toBe(divide(BigInt(one), BigInt(other), decimals));
      expect(toPercentOf(one, other, decimals)).toBe(
        toPercentOf(BigInt(one), BigInt(other), decimals),
      );
    }),
    { numRuns: 2000, examples: [[0, 0, 2]] },
  );
});

test("an exact half goes up where a double would go down", () => {
  const results = [
    toPercentOf(1005n, 100_000n),
    divide(1, 8),
    toPercentOf(1, 3),
    toPercentOf(2, 3, 4),
    divide(0, 0),
  ];
  expect(results).toEqual([1.01, 0.13, 33.33, 66.6667, 0]);
});

test("every commission and every difference of two is published with the decimals of its basis points", () => {
  for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
    const text = basisPoints.toString().padStart(3, "0");
    const percent = Number(`${text.slice(0, -2)}.${text.slice(-2)}`);
    expect([toPercent(basisPoints), toPercent(-basisPoints) + percent]).toEqual([percent, 0]);
    expect(JSON.stringify(toPercent(-basisPoints))).toMatch(/^-?\d{1,3}(\.\d{1,2})?$/);
  }
});

test("a disabled and an unknown commission are null, a commission of 0 is not", () => {
  expect(["disabled" as const, null, 0].map(toPercentOrNull)).toEqual([null, null, 0]);
});

test("an amount keeps every lamport and shows the double nearest to its SOL", () => {
  fc.assert(
    fc.property(lamports, (amount) => {
      const [whole, fraction] = [
        amount / 1_000_000_000n,
        (amount % 1_000_000_000n).toString().padStart(9, "0"),
      ];
      expect(toStake(amount)).toEqual({
        lamports: String(amount),
        sol: Number(`${whole}.${fraction}`),
      });
    }),
    { examples: [[0n], [1n], [16_395_628_327_252_359n]] },
  );
});

test("a counter that no JSON number holds stops at the largest exact one", () => {
  expect([6_912_000n, 2n ** 64n - 1n].map(toCount)).toEqual([6_912_000, Number.MAX_SAFE_INTEGER]);
});

test.each([
  [[], null],
  [[7], 7],
  [[9, 7], 9],
  [[9, 100, 7], 9],
  [[1, 100, 9, 7], 9],
])("the median of %j is %j", (values, median) => {
  expect(medianOf(values)).toBe(median);
});
