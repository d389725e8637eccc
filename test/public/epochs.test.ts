import { expect, it } from "vitest";
import { toRugsText } from "../../public/pages/epochs/Epochs.tsx";

it.each([
  [0, 0, "no rug"],
  [1, 1, "1 rug"],
  [10, 10, "10 rugs"],
  [10, 9, "10 rugs by 9 validators"],
  [2, 1, "2 rugs by 1 validator"],
])("%i rugs by %i validators: %s", (totalEvents, uniqueValidators, text) =>
  expect(toRugsText({ totalEvents, uniqueValidators })).toBe(text),
);
