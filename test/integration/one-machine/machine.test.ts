import { setTimeout as wait } from "node:timers/promises";
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Simulator } from "../../cluster/simulator.ts";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { startSmallSimulator } from "../generator/small-simulator.ts";
import { hasPrograms, SECRETS, startMachine, type Machine } from "./machine.ts";

const SNAPSHOT_MILLISECONDS = 120_000;
const STATUS_KEY = "api/v1/mainnet/status.json";

describe.skipIf(!hasPrograms)(
  "compose.yaml, played as processes before a simulated cluster",
  () => {
    let simulator: Simulator;
    let machine: Machine;
    let url: string;

    beforeAll(async () => {
      const times = {
        epochMilliseconds: 480_000,
        slotsPerEpoch: 4_096,
        startsAt: Date.now() - 5.1 * 480_000,
      };
      simulator = await startSmallSimulator({
        seed: 1,
        validators: 30,
        stakeAccounts: 300,
        ...times,
      });
      machine = await startMachine({
        MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
        TESTNET_RPC_URLS: "none",
        ALPENGLOW_RPC_URLS: "none",
        MAINNET_MEV_URL: simulator.mevUrl("mainnet") ?? "none",
        TESTNET_MEV_URL: "none",
      });
      url = machine.urlOf("nginx");
      const deadline = AbortSignal.timeout(SNAPSHOT_MILLISECONDS);
      while ((await fetch(`${url}/api/v1/status`)).status !== 200)
        await wait(500, undefined, { signal: deadline });
    });
    afterAll(() => Promise.all([machine.stop(), simulator.close()]));

    it("publishes a snapshot, which nginx gives out, the second time from its cache", async () => {
      const { data } = (await (await fetch(`${url}/api/v1/validators?limit=1`)).json()) as {
        data: { votePubkey: string }[];
      };
      const names: Record<string, string> = { votePubkey: data[0]!.votePubkey, epoch: "1065" };
      // Exports need a closed epoch, locations a database.
      const isHere =
        /^\/api\/(?!.*\/(?:exports|location|stake-concentration|wallets\/\{pubkey\})$)/;
      const paths = Object.values(OPERATIONS)
        .map(({ path }) => path)
        .filter((path) => isHere.test(path))
        .map((path) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ""))
        .map((path) => (path.endsWith("/search") ? `${path}?q=va` : path));
      for (const path of paths) {
        await (await fetch(url + path)).arrayBuffer();
        const { status, headers } = await fetch(url + path);
        expect([status, headers.get("x-cache")], path).toEqual([200, "HIT"]);
      }
    });

    it("gives out the site", async () => {
      const { status, headers } = await fetch(url);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    });

    const open = (accessKeyId: string, secretAccessKey: string) =>
      new S3Client({
        endpoint: machine.urlOf("store"),
        region: "us-east-1",
        forcePathStyle: true,
        credentials: { accessKeyId, secretAccessKey },
      });
    const asProxy = () => open("proxy", SECRETS.PROXY_SECRET);
    const get = (client: S3Client, Bucket: string, Key = STATUS_KEY) =>
      client.send(new GetObjectCommand({ Bucket, Key }));

    it("lets the proxy read what is public and tells it what is not there, and nothing else", async () => {
      expect(await (await get(asProxy(), "public")).Body?.transformToString()).toContain(
        "observedAt",
      );
      await expect(get(asProxy(), "public", "none.json")).rejects.toMatchObject({
        name: "NoSuchKey",
      });
      const denied = { name: "AccessDenied" };
      const put = new PutObjectCommand({ Bucket: "public", Key: STATUS_KEY, Body: "{}" });
      await expect(asProxy().send(put)).rejects.toMatchObject(denied);
      await expect(get(asProxy(), "state")).rejects.toMatchObject(denied);
      await expect(
        asProxy().send(new ListObjectsV2Command({ Bucket: "state" })),
      ).rejects.toMatchObject(denied);
      const stranger = get(open("proxy", "another secret"), "public");
      await expect(stranger).rejects.toMatchObject({ name: "SignatureDoesNotMatch" });
      expect((await fetch(`${machine.urlOf("store")}/public/${STATUS_KEY}`)).status).toBe(403);
    });

    it("may have its buckets set up again, and keeps what it has", async () => {
      await machine.runAgain("buckets");
      expect((await get(asProxy(), "public")).$metadata.httpStatusCode).toBe(200);
    });
  },
);
