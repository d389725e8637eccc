import { describe, expect, it, onTestFinished } from "vitest";
import { inputSchema, measureNetworks } from "../../infra/aws/freshness/measure.ts";
import { startServer } from "../rpc/rpc-server.ts";
import { keyOf } from "../story/validators.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

const NEWEST = new Date(NOW).toISOString();

interface Answer {
  status: number;
  body: string;
}

/** `undefined`: it hangs up. */
async function startSite(
  answers: Record<string, Answer | undefined>,
  lists: Record<string, Answer> = { mainnet: toList(NEWEST), testnet: toList(NEWEST) },
): Promise<string> {
  const server = await startServer(({ path }, response) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const network = searchParams.get("network") ?? "";
    const answer = pathname === "/api/v1/status" ? answers[network] : lists[network];
    if (answer === undefined) return void response.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  onTestFinished(() => server.close());
  return server.url;
}

function toStatus(observedAt: string | null, more: object = {}) {
  const data = { observedAt, pending: [], quarantined: [], sources: [], ...more };
  return { status: 200, body: JSON.stringify({ data, meta: {} }) };
}

function toList(snapshotAt: string | null): Answer {
  return { status: 200, body: JSON.stringify({ data: [], meta: { snapshotAt } }) };
}

const toPending = (firstSeenAt: string, disputed: boolean) => ({
  votePubkey: keyOf("A"),
  source: "COMMISSION",
  fromCommission: 5,
  toCommission: 100,
  firstSeenAt,
  disputed,
  witnesses: [],
});

async function measure(siteUrl: string, networks: string[]) {
  const lines: string[] = [];
  const world = { fetch, now: () => NOW, write: (line: string) => void lines.push(line) };
  await measureNetworks(inputSchema.parse({ siteUrl, networks }), world);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the age of the data", () => {
  it("is a metric of each network, in CloudWatch's embedded format", async () => {
    const siteUrl = await startSite({ mainnet: toStatus("2026-11-22T11:58:30.000Z") });
    const Metrics = [
      { Name: "AgeSeconds", Unit: "Seconds" },
      { Name: "Problems", Unit: "Count" },
    ];
    const CloudWatchMetrics = [{ Namespace: "Rugwatch", Dimensions: [["network"]], Metrics }];
    const line = {
      _aws: { Timestamp: NOW, CloudWatchMetrics },
      network: "mainnet",
      AgeSeconds: 90,
      Problems: 0,
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

  it("is that of the newest snapshot published, however new the observations are", async () => {
    const siteUrl = await startSite(
      { mainnet: toStatus("2026-11-22T11:59:57.000Z") },
      { mainnet: toList("2026-11-22T11:00:00.000Z") },
    );
    expect(await measure(siteUrl, ["mainnet"])).toMatchObject([{ AgeSeconds: 3_600 }]);
  });

  it("is not known where nothing is published", async () => {
    const siteUrl = await startSite({ mainnet: toStatus(NEWEST) }, { mainnet: toList(null) });
    const [line] = await measure(siteUrl, ["mainnet"]);
    expect(line).not.toHaveProperty("AgeSeconds");
    expect(line?.["message"]).toContain("no snapshot is published yet");
  });

  it.each([
    ["an entry cannot be read", { quarantined: [{ object: "0000000002", reason: "cut" }] }],
    [
      "too few witnesses answer",
      {
        sources: [
          { name: "witnesses", state: "degraded", lastSuccessAt: null, reason: "2 are silent" },
        ],
      },
    ],
    ["a change is pending too long", { pending: [toPending("2026-11-22T11:44:00.000Z", false)] }],
    ["nothing was accepted for five minutes", { observedAt: "2026-11-22T11:54:59.000Z" }],
  ])("has a problem beside it where %s, and says which", async (_, more) => {
    const siteUrl = await startSite({ mainnet: toStatus(NEWEST, more) });
    const [line] = await measure(siteUrl, ["mainnet"]);
    expect(line).toMatchObject({ Problems: 1 });
    expect(line?.["reasons"]).toHaveLength(1);
  });

  it("has none between two parts of a run on GitHub", async () => {
    const siteUrl = await startSite({ mainnet: toStatus("2026-11-22T11:55:30.000Z") });
    expect(await measure(siteUrl, ["mainnet"])).toMatchObject([{ AgeSeconds: 270, Problems: 0 }]);
  });

  it("has none where a change is disputed or has just begun to wait, and other sources fail", async () => {
    const pending = [
      toPending("2026-11-22T11:50:00.000Z", false),
      toPending("2026-11-22T08:00:00.000Z", true),
    ];
    const sources = [{ name: "mev", state: "failed", lastSuccessAt: null, reason: "gone" }];
    const siteUrl = await startSite({ mainnet: toStatus(NEWEST, { pending, sources }) });
    expect(await measure(siteUrl, ["mainnet"])).toMatchObject([{ Problems: 0 }]);
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
