import { describe, expect, it } from "vitest";
import { isRise, toSides } from "../../public/format/events.ts";
import { toWebAddress } from "../../public/format/url.ts";
import { countRugs } from "../../public/pages/now/NewestEvents.tsx";
import { toBars } from "../../public/pages/now/RugsChart.tsx";

describe("what an event says", () => {
  const none = { fromCommission: null, toCommission: null, fromDisabled: false, toDisabled: false };

  it("tells what is off from what is not known", () => {
    expect(toSides({ ...none, fromCommission: 5, toCommission: 100 })).toEqual(["5 %", "100 %"]);
    expect(toSides({ ...none, fromDisabled: true, toCommission: 8 })).toEqual(["off", "8 %"]);
    expect(toSides({ ...none, toDisabled: true })).toEqual(["not known", "off"]);
  });

  it("is a rise only where delegators pay more than they did", () => {
    expect([isRise({ delta: 0.5 }), isRise({ delta: -5 }), isRise({ delta: null })]).toEqual([true, false, false]);
  });

  it("counts the epochs a validator rugged in, not its rugs", () => {
    const event = (votePubkey: string, epoch: number, severity: "RUG" | "INFO" = "RUG") => ({
      votePubkey,
      epoch,
      severity,
      replacedBy: null as string | null,
    });
    const counts = countRugs([
      event("a", 1),
      event("a", 1),
      event("a", 2),
      event("a", 3, "INFO"),
      event("b", 1, "INFO"),
      // Its steps are events of their own.
      { ...event("a", 4), replacedBy: "a step" },
    ]);
    expect([...counts]).toEqual([["a", 2]]);
  });

  it("is stacked with inflation below and MEV on top", () => {
    expect(toBars([{ epoch: 7, commissionEvents: 3, mevEvents: 2 }])).toEqual([[7], [5], [3]]);
  });
});

describe("an address from the chain", () => {
  it.each(["javascript:alert(1)", "data:text/html,x", "//host", "ftp://host/x", "https://user:pass@host/", "", null])(
    "is no link if it is %s",
    (text) => expect(toWebAddress(text)).toBeNull(),
  );

  it("is a link over http, and an image only over https", () => {
    expect(toWebAddress("http://host/a b")).toBe("http://host/a%20b");
    expect(toWebAddress("http://host/icon.png", ["https:"])).toBeNull();
    expect(toWebAddress("https://host/icon.png", ["https:"])).toBe("https://host/icon.png");
  });
});
