import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  toAnswer,
  type Answer,
  type Compression,
  type Representation,
} from "../../../proxy/answer.ts";
import { createVariants, type Variants } from "../../../proxy/cache/variants.ts";

const createQuietVariants = (maxBytes?: number) =>
  createVariants({ log: ({ message }) => expect.unreachable(message) }, maxBytes);

/** A distinct answer that hardly compresses. */
const makeAnswer = (bytes: number) =>
  toAnswer(JSON.stringify(randomBytes(bytes).toString("base64")), "snapshot");
const makePlain = (length: number) => toAnswer(JSON.stringify("x".repeat(length)), "snapshot");

async function getMade(
  variants: Variants,
  answer: Answer,
  compression: Compression,
): Promise<Representation> {
  for (let tries = 0; tries < 100_000; tries++) {
    const variant = variants.get(answer, compression);
    if (variant !== undefined) return variant;
    variants.want(answer, compression);
    await setImmediate();
  }
  throw new Error("the variant was never made");
}

/** Which of the answers have a variant with gzip. */
function findKept(variants: Variants, answers: readonly Answer[]): number[] {
  return answers.flatMap((answer, index) =>
    variants.get(answer, "gzip") === undefined ? [] : [index],
  );
}

describe("variants", () => {
  it("hold the bytes of the answer, and no more memory than their own bytes", async () => {
    const variants = createQuietVariants();
    const answer = makeAnswer(40_000);
    const br = await getMade(variants, answer, "br");
    const gzip = await getMade(variants, answer, "gzip");
    expect(brotliDecompressSync(br.body).equals(answer.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(answer.body)).toBe(true);
    expect(new Set([answer.etag, br.etag, gzip.etag]).size).toBe(3);
    const { body } = await getMade(variants, makePlain(5_000), "br");
    expect(body.buffer.byteLength).toBe(body.byteLength);
  });

  it("serve an answer of the same content from a later snapshot", async () => {
    const variants = createQuietVariants();
    const made = await getMade(variants, makePlain(5_000), "br");
    expect(variants.get(makePlain(5_000), "br")).toBe(made);
  });

  it("are made of what is long as soon as it is wanted, and not of what is short and wanted once", async () => {
    const variants = createQuietVariants();
    const once = Array.from({ length: 100 }, () => makeAnswer(2_000));
    for (const answer of once) variants.want(answer, "gzip");
    const long = makePlain(100_000);
    variants.want(long, "gzip");
    await expect.poll(() => findKept(variants, [long])).toEqual([0]);
    // By then the thread pool is through with anything begun before.
    await getMade(variants, makeAnswer(50_000), "gzip");
    expect(findKept(variants, once)).toEqual([]);
  });

  it("are made two at a time; what is wanted meanwhile must be wanted again", async () => {
    const variants = createQuietVariants();
    const answers = Array.from({ length: 50 }, () => makeAnswer(2_000));
    for (const answer of [...answers, ...answers]) variants.want(answer, "gzip");
    // If the others were queued, they would be made before the last.
    for (const answer of [...answers.slice(0, 2), makeAnswer(2_000)])
      await getMade(variants, answer, "gzip");
    expect(findKept(variants, answers)).toEqual([0, 1]);
  });

  it("are all made of what is waited for, and each once", async () => {
    const variants = createQuietVariants();
    const answers = Array.from({ length: 20 }, () => makeAnswer(2_000));
    await Promise.all([...answers, ...answers].map((answer) => variants.make(answer, "gzip")));
    expect(findKept(variants, answers)).toHaveLength(answers.length);
  });

  it("are made of no more than may wait", async () => {
    const variants = createQuietVariants();
    const answers = Array.from({ length: 300 }, () => makeAnswer(2_000));
    await Promise.all(answers.map((answer) => variants.make(answer, "gzip")));
    expect(findKept(variants, answers).at(-1)).toBe(257);
  });

  it("push out the one unused longest, so that their bytes stay within the bound", async () => {
    const variants = createQuietVariants(100_000);
    const answers = Array.from({ length: 10 }, () => makeAnswer(20_000));
    for (const answer of answers) {
      await getMade(variants, answer, "gzip");
      variants.get(answers[0]!, "gzip");
    }
    expect(findKept(variants, answers)).toEqual([0, 7, 8, 9]);
  });
});
