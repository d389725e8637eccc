import { describe, expect, it } from "vitest";
import { toBetween } from "../../../public/pages/validator/Evidence.tsx";
import { toRefusal } from "../../../public/pages/validator/Validator.tsx";

describe("the evidence of a change", () => {
  const seen = {
    previousSlot: 1_000,
    previousSeenAt: "2026-10-24T03:20:01.575Z",
    slot: 1_294,
    createdAt: "2026-10-24T03:21:00.575Z",
  };

  it("bounds when it happened by the observations before and after", () => {
    expect(toBetween(seen)).toEqual({ slots: 294, milliseconds: 59_000 });
  });

  it("has slots alone where a time is missing, and nothing where the old value was never seen", () => {
    expect(toBetween({ ...seen, createdAt: null })).toEqual({ slots: 294, milliseconds: null });
    expect(toBetween({ ...seen, previousSlot: null })).toBeNull();
    expect(toBetween({ ...seen, previousSlot: 1_294 })).toBeNull();
  });
});

describe("why there is no page of a validator", () => {
  const refused = (status: number, code: string) =>
    toRefusal({ kind: "refused", status, code, message: "", retryAfterSeconds: null });

  it("is that the key is none, or was never seen", () => {
    expect(refused(400, "invalid_pubkey")).toBe("malformed");
    expect(refused(404, "validator_not_found")).toBe("unknown");
  });

  it("is never a fault of the API or of the way to it", () => {
    expect([refused(503, "upstream_unavailable"), refused(429, "rate_limited"), refused(404, "not_found")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(toRefusal({ kind: "unreachable" })).toBeNull();
  });
});
