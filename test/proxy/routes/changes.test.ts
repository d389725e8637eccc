import { expect, it } from "vitest";
import { changesDocumentSchema, SEGMENT_CHANGES } from "../../../generator/contract/change.ts";
import { describeProxy, readError } from "../_setup.ts";
import { EDITION, makeLog } from "../changes.ts";
import { makeIndex, publish } from "../fixtures.ts";

const HEAD = 2 * SEGMENT_CHANGES + 7;
const INDEX = publish("index", {}, makeIndex());
const published = [INDEX, ...makeLog(HEAD)];

async function read(response: Response) {
  expect(response.status).toBe(200);
  const { data, meta } = changesDocumentSchema.parse(await response.json());
  return { seqs: data.map(({ seq }) => seq), meta };
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describeProxy("the log of changes", (open) => {
  it.each([
    ["", 1, 200],
    ["?after=0&limit=1", 1, 1],
    ["?after=7&limit=3", 8, 10],
    ["?after=499&limit=1", 500, 500],
    ["?after=499&limit=2", 500, 501],
    ["?after=500&limit=1000", 501, HEAD],
    ["?after=450&limit=600", 451, HEAD],
    ["?after=3&limit=1000", 4, 1003],
    [`?after=${HEAD - 1}`, HEAD, HEAD],
  ])("answers %s with the changes %i to %i", async (query, first, last) => {
    const { request } = await open({ published });
    const { seqs, meta } = await read(await request(`/api/v1/changes${query}`));
    expect(seqs).toEqual(from(first, last));
    expect(meta).toEqual({ network: "mainnet", edition: EDITION, head: HEAD, next: last });
  });

  it.each([HEAD, HEAD + 1, 1e15])("has nothing after %i", async (after) => {
    const { request } = await open({ published });
    const { seqs, meta } = await read(await request(`/api/v1/changes?after=${after}`));
    expect(seqs).toEqual([]);
    expect(meta.next).toBe(HEAD);
  });

  it("leads through all of it, each change once", async () => {
    const { request } = await open({ published });
    const seqs: number[] = [];
    for (let after = 0; ;) {
      const answer = await read(await request(`/api/v1/changes?after=${after}&limit=333`));
      seqs.push(...answer.seqs);
      if (answer.meta.next === after) break;
      after = answer.meta.next;
    }
    expect(seqs).toEqual(from(1, HEAD));
  });

  it.each([
    ["ends with a full segment", SEGMENT_CHANGES, SEGMENT_CHANGES],
    ["has none yet", 0, 0],
  ])("answers where it %s", async (_, head, last) => {
    const { request } = await open({ published: [INDEX, ...makeLog(head)] });
    const { seqs, meta } = await read(await request("/api/v1/changes?limit=1000"));
    expect(seqs).toEqual(from(1, last));
    expect(meta.head).toBe(head);
  });

  it("never mixes editions, and says that a segment is missing", async () => {
    const [newest] = makeLog(HEAD, "1.2.4").slice(-1);
    for (const mixed of [
      [INDEX, ...makeLog(HEAD).slice(0, -1), newest!],
      [INDEX, newest!],
    ]) {
      const { request } = await open({ published: mixed });
      await readError(await request("/api/v1/changes?after=450"), 503, "upstream_unavailable");
      expect((await read(await request("/api/v1/changes?after=1000"))).meta.edition).toBe("1.2.4");
    }
  });

  it.each([
    ["after=-1", "after must be a whole number from 0 to 9007199254740991"],
    ["limit=0", "limit must be a whole number from 1 to 1000"],
    ["limit=1001", "limit must be a whole number from 1 to 1000"],
  ])("refuses %s", async (query, why) => {
    const { request } = await open({ published });
    expect(
      await readError(await request(`/api/v1/changes?${query}`), 400, "invalid_parameter"),
    ).toContain(why);
  });

  it("is not found where nothing was published", async () => {
    const { request } = await open({ published: [INDEX] });
    expect(await readError(await request("/api/v1/changes"), 404, "not_found")).toContain(
      "No log of changes",
    );
  });
});
