import { describe, expect, it } from "vitest";
import { toEmptyIndex } from "../../../proxy/answers/snapshot.ts";
import { readSettings } from "../../../proxy/config.ts";
import { toSettingsEntry, toSnapshotEntry } from "../../../proxy/operations/events.ts";

describe("what the log says at the start", () => {
  it.each([
    ["file:/srv/public", "file:/srv/public"],
    ["s3://bucket/public", "s3"],
    ["https://data.example/k3y", "https"],
  ])("of the store %s is %s: a directory is no secret", (publicStore, store) => {
    const entry = toSettingsEntry(readSettings({ RUGWATCH_PUBLIC: publicStore }), 1);
    expect(entry.fields).toMatchObject({ store });
  });

  it("is a warning where the store has no snapshot, since that is also how a wrong store looks", () => {
    expect(toSnapshotEntry(toEmptyIndex("mainnet"), 0)).toMatchObject({
      level: "warn",
      message: "nothing published yet: run the generator, or mend RUGWATCH_PUBLIC",
      fields: { network: "mainnet" },
    });
  });
});
