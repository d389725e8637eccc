import fc from "fast-check";
import { expect, test } from "vitest";
import { divide, toCount, toPercent, toPercentOrNull, toPercentOf, toStake } from "../../generator/contract/numbers.ts";

const lamports = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

/** Long division by hand, one decimal digit after another, and one more to round by. */
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

test("a share is what long division by hand gives, half up, in two decimals and in four", () => {
  fc.assert(
    fc.property(lamports, lamports, fc.constantFrom<2 | 4>(2, 4), (one, other, decimals) => {
      const [part, whole] = one < other ? [one, other] : [other, one];
      fc.pre(whole > 0n);
      expect(toPercentOf(part, whole, decimals)).toBe(Number(longDivision(part * 100n, whole, decimals)));
    }),
  );
});

test("numbers give what the same bigints give, also where they are too large for exact arithmetic", () => {
  const count = fc.oneof(fc.nat(2000), fc.maxSafeNat());
  fc.assert(
    fc.property(count, count, fc.constantFrom<2 | 4>(2, 4), (one, other, decimals) => {
      expect(divide(one, other, decimals)).toBe(divide(BigInt(one), BigInt(other), decimals));
      expect(toPercentOf(one, other, decimals)).toBe(toPercentOf(BigInt(one), BigInt(other), decimals));
    }),
    { numRuns: 2000 },
  );
});

test("an exact half goes up where a double would go down", () => {
  expect(toPercentOf(1005n, 100_000n)).toBe(1.01);
  expect(divide(1, 8)).toBe(0.13);
  expect(toPercentOf(1, 3)).toBe(33.33);
  expect(toPercentOf(2, 3, 4)).toBe(66.6667);
});

test("a share is between 0 and 100, and 0 of nothing", () => {
  fc.assert(
    fc.property(lamports, lamports, (one, other) => {
      const share = one < other ? toPercentOf(one, other) : toPercentOf(other, one);
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(100);
    }),
  );
  expect(toPercentOf(0n, 0n)).toBe(0);
  expect(divide(0, 0)).toBe(0);
});

test("every commission is published with the decimals of its basis points", () => {
  for (let basisPoints = 0; basisPoints <= 10_000; basisPoints += 1) {
    const text = basisPoints.toString().padStart(3, "0");
    expect(toPercent(basisPoints)).toBe(Number(`${text.slice(0, -2)}.${text.slice(-2)}`));
    expect(JSON.stringify(toPercent(basisPoints))).toMatch(/^\d{1,3}(\.\d{1,2})?$/);
  }
});

test("every difference of commissions has two decimals at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: -10_000, max: 10_000 }), (basisPoints) => {
      expect(JSON.stringify(toPercent(basisPoints))).toMatch(/^-?\d{1,3}(\.\d{1,2})?$/);
    }),
  );
});

test("a disabled and an unknown commission are null, a commission of 0 is not", () => {
  expect(toPercentOrNull("disabled")).toBeNull();
  expect(toPercentOrNull(null)).toBeNull();
  expect(toPercentOrNull(0)).toBe(0);
});

test("an amount keeps every lamport and shows the double nearest to its SOL", () => {
  fc.assert(
    fc.property(lamports, (amount) => {
      const stake = toStake(amount);
      expect(BigInt(stake.lamports)).toBe(amount);
      const [whole, fraction] = [amount / 1_000_000_000n, (amount % 1_000_000_000n).toString().padStart(9, "0")];
      expect(stake.sol).toBe(Number(`${whole}.${fraction}`));
    }),
  );
});

test("an amount above 2^53 lamports is not rounded on its way to SOL", () => {
  expect(toStake(16_395_628_327_252_359n)).toEqual({
    lamports: "16395628327252359",
    sol: Number("16395628.327252359"),
  });
  expect(toStake(1n)).toEqual({ lamports: "1", sol: 1e-9 });
  expect(toStake(0n)).toEqual({ lamports: "0", sol: 0 });
});

test("a counter that no JSON number holds stops at the largest exact one", () => {
  expect(toCount(6_912_000n)).toBe(6_912_000);
  expect(toCount(2n ** 64n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
});
