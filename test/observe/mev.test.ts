import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { parseEndpointUrl } from "../../generator/observe/endpoint-url.ts";
import { createDispatcher } from "../../generator/observe/http.ts";
import { readMev } from "../../generator/observe/mev.ts";
import { createClock, HAS_RECORDED, key, RECORDED } from "./fixtures.ts";
import { startServer, toExactJson, type TestServer } from "./rpc-server.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const row = (vote: number, fields: Record<string, unknown> = {}) => ({
  identity_account: key(vote + 100),
  vote_account: key(vote),
  mev_commission_bps: 800,
  mev_rewards: 12_345_678_901,
  priority_fee_commission_bps: 5_000,
  running_jito: true,
  running_bam: false,
  active_stake: 16_395_628_327_252_359n,
  ...fields,
});

async function read(answers: unknown[], { epoch = null as number | null, path = "" } = {}) {
  let count = 0;
  server = await startServer((_, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    if (typeof answer === "number") return void response.writeHead(answer).end('{"validators":[]}');
    response.end(typeof answer === "string" ? answer : toExactJson(answer));
  });
  const clock = createClock();
  const dispatcher = createDispatcher();
  const url = parseEndpointUrl(`${server.url}${path}`, "The MEV address");
  const options = { url, dispatcher, now: clock.now, sleep: clock.sleep, random: () => 0, signal: undefined };
  try {
    return await readMev(options, { epoch, deadline: clock.now() + 60_000 });
  } finally {
    await dispatcher.close();
  }
}

describe("the MEV vendor's list", () => {
  it("gives the rows by vote account, each once", async () => {
    const rows = await read([
      { validators: [row(2, { mev_commission_bps: 10_000 }), row(1), row(1, { mev_commission_bps: 0 })] },
    ]);
    const expected = [
      { vote: key(1), mevBasisPoints: 800, priorityFeeBasisPoints: 5_000, runningBam: false },
      { vote: key(2), mevBasisPoints: 10_000, priorityFeeBasisPoints: 5_000, runningBam: false },
    ];
    expect(rows).toEqual(expected.sort((a, b) => (a.vote < b.vote ? -1 : 1)));
  });

  it("leaves out who does not run the vendor's client", async () => {
    await expect(read([{ validators: [row(1), row(2, { running_jito: false })] }])).resolves.toMatchObject([
      { vote: key(1) },
    ]);
  });

  it("takes what is null or missing as not known", async () => {
    const bare = { vote_account: key(1), mev_commission_bps: null, running_jito: true };
    await expect(read([{ validators: [bare] }])).resolves.toEqual([
      { vote: key(1), mevBasisPoints: null, priorityFeeBasisPoints: null, runningBam: null },
    ]);
  });

  it("is asked for without a body when it is the latest, and with the epoch when it is a closed one", async () => {
    await read([{ validators: [row(1)] }]);
    expect(server?.asked[0]).toMatchObject({ path: "/api/v1/validators", body: null });
    await server?.close();
    await read([{ validators: [row(1)] }], { epoch: 1052, path: "/base/?key=1" });
    expect(server?.asked[0]).toMatchObject({ path: "/base/api/v1/validators?key=1", body: { epoch: 1052 } });
  });

  it.each([
    ["an empty list", { validators: [] }, "body"],
    ["a list of others only", { validators: [row(1, { running_jito: false })] }, "body"],
    ["status 500 with an empty list", 500, "http"],
    ["HTML", "<html>", "body"],
    [
      "one unreadable row, which would look like MEV switched off",
      { validators: [row(1), row(2, { mev_commission_bps: "800" })] },
      "shape",
    ],
    ["a vote account that is none", { validators: [row(1, { vote_account: "x" })] }, "shape"],
    ["another shape", { data: [] }, "shape"],
  ])("fails for %s", async (_, answer, kind) => {
    await expect(read([answer])).rejects.toMatchObject({ name: "RpcError", kind });
  });

  it("is asked again after a failure that passes", async () => {
    await expect(read([500, { validators: [] }, { validators: [row(1)] }])).resolves.toHaveLength(1);
    expect(server?.asked).toHaveLength(3);
  });

  it.skipIf(!HAS_RECORDED)("as recorded in 2023 is read whole", async () => {
    const file = readFileSync(new URL("info/mevApi.2023-03.json", RECORDED), "utf8");
    const [{ response }] = JSON.parse(file) as [{ response: { body: { validators: unknown[] } } }];
    await expect(read([response.body])).resolves.toHaveLength(response.body.validators.length);
  });
});
