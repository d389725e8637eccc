import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setTimeout } from "node:timers/promises";
import * as sdk from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { after } from "../../journal/rows.ts";
import { readLog } from "../../soak/log.ts";
import { createRandom, type Random } from "../../soak/random.ts";
import { SOAK } from "../../soak/soak.ts";
import { isPresent } from "../../required.ts";

const KILLS = 30 * SOAK;
/** As many append at once. */
const WRITERS = 2;
const APPENDS_MOST = 30;
/** An append takes less. */
const LATER_MILLISECONDS = 20;
const MILLISECONDS_A_KILL = 5_000;

const APPENDER = fileURLToPath(new URL("appender.ts", import.meta.url));
const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";

interface Acknowledged {
  name: string;
  endpoint: string;
  time: string;
}

describe.skipIf(!isPresent("an S3 server", endpoint !== ""))(
  "generators that are killed while they append to a real S3 server",
  () => {
    const bucket = `rugwatch-kills-${randomUUID()}`;
    const address = `s3://${bucket}/state`;
    const region = process.env["AWS_REGION"] ?? "us-east-1";
    const client = new sdk.S3Client({ endpoint, forcePathStyle: true, region });

    beforeAll(async () => {
      await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }));
    });
    afterAll(async () => {
      const store = openS3Store(`s3://${bucket}`, { endpoint });
      for await (const { key } of store.list("")) await store.delete(key);
      await client.send(new sdk.DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    });

    /** Starts one and kills it at a random moment after a random number of its appends. */
    async function appendAndDie(who: string, random: Random): Promise<Acknowledged[]> {
      const child = spawn(process.execPath, [APPENDER, address, endpoint, who], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      const acknowledged: Acknowledged[] = [];
      const last = random.below(APPENDS_MOST);
      const delay = random.below(LATER_MILLISECONDS);
      for await (const line of createInterface({ input: child.stdout })) {
        const [name = "", index = ""] = line.split(" ");
        acknowledged.push({
          name,
          endpoint: `https://${who}.example#0`,
          time: after(Number(index)).time,
        });
        if (acknowledged.length === last + 1)
          void setTimeout(delay).then(() => child.kill("SIGKILL"));
      }
      const [status, signal] = (await exited) as [number | null, string | null];
      if (signal !== "SIGKILL") throw new Error(`a writer ended with the status ${status}`);
      return acknowledged;
    }

    it(
      "lose no entry that was acknowledged, double none, and leave a chain that is whole",
      { timeout: KILLS * MILLISECONDS_A_KILL },
      async () => {
        const acknowledged: Acknowledged[] = [];
        let kills = 0;
        const writers = Array.from({ length: WRITERS }, async (_, writer) => {
          const random = createRandom(writer + 1);
          while (kills < KILLS)
            acknowledged.push(...(await appendAndDie(`${(kills += 1)}`, random)));
        });
        await Promise.all(writers);
        const { entries, faults } = await readLog(openS3Store(address, { endpoint }));
        const found = entries.map(
          ({ name, entry }) => `${name} ${"endpoint" in entry && entry.endpoint} ${entry.time}`,
        );
        const isThere = new Set(found);
        const contents = new Set(found.map((text) => text.slice(text.indexOf(" "))));
        expect(faults).toEqual([]);
        expect(
          acknowledged.filter(
            ({ name, endpoint, time }) => !isThere.has(`${name} ${endpoint} ${time}`),
          ),
        ).toEqual([]);
        expect(contents.size).toBe(found.length);
        expect(acknowledged.length).toBeGreaterThan(KILLS);
      },
    );
  },
);
