import { InvalidArgumentError } from "commander";

/**
 * `90s`, `25m` or `2h`.
 * @throws {InvalidArgumentError} commander adds the flag's name
 */
export function toMilliseconds(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})(s|m|h)$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("A duration is a whole number with s, m or h behind it: 25m.");
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"];
}

/**
 * A parser for a flag; both bounds are allowed.
 * @throws {InvalidArgumentError} the parser, for anything else; commander adds the flag's name
 */
export function wholeNumberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && min <= Number(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
