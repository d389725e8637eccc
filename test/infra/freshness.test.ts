import { describe, expect, it, onTestFinished } from "vitest";
import { inputSchema, measureAges } from "../../infra/aws/freshness/measure.ts";
import { startServer } from "../rpc/rpc-server.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

/** `undefined`: it hangs up. */
async function startSite(
  answers: Record<string, { status: number; body: string } | undefined>,
): Promise<string> {
  const server = await startServer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const answer =
      pathname === "/api/v1/status" ? answers[searchParams.get("network") ?? ""] : undefined;
    if (answer === undefined) return void response.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  onTestFinished(() => server.close());
  return server.url;
}

function toStatus(observedAt: string | null, more: object = {}) {
  return { status: 200, body: JSON.stringify({ data: { observedAt, ...more }, meta: {} }) };
}

async function measure(siteUrl: string, networks: string[]) {
  const lines: string[] = [];
  const world = { fetch, now: () => NOW, write: (line: string) => void lines.push(line) };
  await measureAges(inputSchema.parse({ siteUrl, networks }), world);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the age of the data", () => {
  it("is a metric of each network, in CloudWatch's embedded format", async () => {
    const siteUrl = await startSite({ mainnet: toStatus("2026-11-22T11:58:30.000Z") });
    const Metrics = [{ Name: "AgeSeconds", Unit: "Seconds" }];
    const CloudWatchMetrics = [{ Namespace: "Rugwatch", Dimensions: [["network"]], Metrics }];
    const line = {
      _aws: { Timestamp: NOW, CloudWatchMetrics },
      network: "mainnet",
      AgeSeconds: 90,
    };
    expect(await measure(siteUrl, ["mainnet"])).toEqual([line]);
  });

  it("is that of the newest observation believed, however new the status itself is", async () => {
    const generatedAt = "2026-11-22T11:59:59.000Z";
    const siteUrl = await startSite({
      mainnet: toStatus("2026-11-22T08:00:00.000Z", { generatedAt }),
    });
    expect(await measure(siteUrl, ["mainnet"])).toMatchObject([{ AgeSeconds: 4 * 3_600 }]);
  });

  it.each([
    ["is answered with an error", { status: 503, body: "{}" }, /503/],
    ["is no JSON", { status: 200, body: "<html>" }, /JSON/],
    ["is another document", { status: 200, body: '{"data":[]}' }, /./],
    ["has no time in it", toStatus("yesterday"), /./],
    [
      "tells of nothing yet",
      toStatus(null),
      /^Cannot measure the age of mainnet: .* accepted no observation yet/,
    ],
    ["does not come", undefined, /fetch failed/],
  ])("is not known where the status %s, and the other networks' is", async (_, answer, message) => {
    const siteUrl = await startSite({
      mainnet: answer,
      testnet: toStatus("2026-11-22T11:59:00.000Z"),
    });
    const lines = await measure(siteUrl, ["mainnet", "testnet"]);
    const [complaint, ...others] = lines.toSorted((one) => (one["network"] === "mainnet" ? -1 : 1));
    expect(others).toMatchObject([{ network: "testnet", AgeSeconds: 60 }]);
    expect(complaint).not.toHaveProperty("AgeSeconds");
    expect(complaint).toMatchObject({
      level: "error",
      message: expect.stringMatching(message) as string,
    });
  });

  it("is asked for of known networks alone", () => {
    expect(() =>
      inputSchema.parse({ siteUrl: "https://rugwatch.example", networks: ["devnet"] }),
    ).toThrow();
  });
});
