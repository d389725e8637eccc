import { expect, it } from "vitest";
import { createHttpDate } from "../../../proxy/fast-lane/http-date.ts";

it("HTTP's date is that of the running second", () => {
  let now = Date.parse("1994-11-06T08:49:37.999Z");
  const date = createHttpDate(() => now);
  expect(date()).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
  now += 1;
  expect(date()).toBe("Sun, 06 Nov 1994 08:49:38 GMT");
  now -= 1_000;
  expect(date()).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
});
