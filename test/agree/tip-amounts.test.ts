import { describe, expect, it } from "vitest";
import { agreeOnTipAmounts } from "../../generator/agree/tip-amounts.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { snapshot } from "../story/observations.ts";
import { type TipAmount, tipAmountsOf } from "../story/tips.ts";
import { withA } from "../story/validators.ts";
import { all, listsLike, listsWithout } from "../story/witnesses.ts";

const MINUTE = 140;
const RUNNING = FIRST_EPOCH + 1;

const agreeOn = (epoch: number, amounts: readonly TipAmount[], lists = listsLike(amounts)) =>
  agreeOnTipAmounts(
    snapshot(MINUTE, withA(), { tipAmounts: tipAmountsOf(MINUTE, epoch, ...amounts) }),
    lists,
  );

/** As "70", "70, alone", "75 settled", "absent" or "unknown". */
function agree(epoch: number, ...amounts: TipAmount[]): string {
  const [agreed] = agreeOn(epoch, amounts);
  if (agreed === undefined) return "nothing";
  const { settled, reached, isAlone } = agreed;
  const amount =
    settled === null
      ? (reached ?? "unknown")
      : settled === "absent"
        ? settled
        : `${settled} settled`;
  return `${amount}${isAlone ? ", alone" : ""}`;
}

describe("of the tips of an epoch that runs a panel agrees on", () => {
  it.each<[string, TipAmount[], string]>([
    ["what one alone reads", [70n], "70"],
    ["what a majority reaches, each at a slot of its own", [70n, 72n, 71n], "71"],
    ["no more where one of three reads more", [70n, 71n, 1_000_000n], "71"],
    ["no less where one of three reads less", [70n, 71n, 0n], "70"],
    ["what two of three reach while one is silent", [70n, "silent", 72n], "70"],
    ["nothing by one of three", [70n, "silent", null], "unknown"],
    ["what three of four reach", [90n, 91n, 70n, 71n], "71"],
    ["the lesser of two", [70n, 72n], "70"],
    ["what one of two reads alone", [70n, "silent"], "70, alone"],
    ["nothing settled, whatever all say", all<TipAmount>(3, "70 settled"), "unknown"],
    ["nothing where nobody finds an account", all<TipAmount>(3, "absent"), "unknown"],
  ])("%s", (_, amounts, expected) => {
    expect(agree(RUNNING, ...amounts)).toBe(expected);
  });
});

describe("of the tips of an epoch that has ended a panel agrees on", () => {
  it.each<[string, TipAmount[], string]>([
    ["the same sum that a majority reads", ["75 settled", "75 settled", 75n], "75 settled"],
    ["nothing settled by one of three", ["1000000 settled", 75n, 75n], "75"],
    ["nothing settled by three sums", ["75 settled", "76 settled", "77 settled"], "76"],
    ["no account, where a majority finds none", ["absent", "absent", 75n], "absent"],
    ["what two reach where one finds no account", ["absent", 75n, 75n], "75"],
    ["nothing while nobody answers", all<TipAmount>(3, "silent"), "unknown"],
  ])("%s", (_, amounts, expected) => {
    expect(agree(RUNNING - 1, ...amounts)).toBe(expected);
  });
});

it.each([
  ["of an epoch to come", agreeOn(RUNNING + 1, [70n])],
  ["that nobody was asked for", agreeOnTipAmounts(snapshot(MINUTE, withA()), listsWithout(null))],
])("a panel agrees on no tips %s", (_, agreed) => {
  expect(agreed).toEqual([]);
});

it("one of two decides nothing while the other gives its list", () => {
  const [agreed] = agreeOn(RUNNING, [70n, "silent"], listsWithout(null));
  expect(agreed).toMatchObject({ settled: null, reached: null, isAlone: false });
});
