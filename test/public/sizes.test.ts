import { expect, it } from "vitest";
import { toSize } from "../../public/format/values.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [1_340, "1.34 kB"],
  [68_323, "68.3 kB"],
  [12_000_000, "12 MB"],
  [5_000_000_000_000, "5,000 GB"],
])("tells %d bytes as %s", (bytes, text) => {
  expect(toSize(bytes)).toBe(text);
});
