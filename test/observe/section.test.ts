import { describe, expect, it } from "vitest";
import { RAW_TEXT_MAX } from "../../generator/entries/entry.ts";
import { LocationError } from "../../generator/observe/mmdb.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import { toSection } from "../../generator/observe/section.ts";

describe("a side source", () => {
  it.each([new RpcError({ kind: "network", message: "it is not there" }), new LocationError("it is not there")])(
    "that fails with %s costs its own section, and says why",
    async (error) => {
      await expect(toSection(() => Promise.reject(error))).resolves.toEqual({ state: "failed", reason: error.message });
    },
  );

  it("says why in no more than an entry keeps", async () => {
    const error = new RpcError({ kind: "body", message: "x".repeat(100_000) });
    const section = await toSection(() => Promise.reject(error));
    expect(section).toMatchObject({ state: "failed", reason: "x".repeat(RAW_TEXT_MAX) });
  });

  it("that fails by a bug of ours is no side source that fails", async () => {
    await expect(toSection(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
