import { describe, expect, it } from "vitest";
import { RAW_TEXT_MAX } from "../../../generator/entries/entry.ts";
import { readStakeAccounts } from "../../../generator/observe/stakes/stake-accounts.ts";
import type { Rpc } from "../../../generator/rpc/rpc.ts";
import { withHanging } from "../../rpc/hanging.ts";
import { openNode } from "../../rpc/open-server.ts";
import { INSTEAD, type Methods, type TestServer } from "../../rpc/rpc-server.ts";
import { createClock, key, withRpc } from "../fixtures.ts";
import { fails } from "../observing.ts";
import {
  byteAsked,
  delegation,
  EPOCH,
  NOW,
  toAnswer,
  toPage,
  toProgram,
  type Params,
} from "./stakes.ts";

const SOL = 1_000_000_000n;
const ROWS = [
  { vote: key(1), activeStake: 60n * SOL },
  { vote: key(2), activeStake: 40n * SOL },
];
const ALL = [
  delegation({ stake: 60n * SOL }),
  delegation({ stake: 3n * SOL, activation: NOW }),
  delegation({ vote: key(2), stake: 40n * SOL, deactivation: NOW }),
];
const SUMS = [
  [key(1), 3n * SOL, 0n, 2],
  [key(2), 0n, 40n * SOL, 1],
];

const disabled = fails(410, "The RPC call or parameters have been disabled.");
const deprioritized = fails(
  -32_600,
  "Request deprioritized due to number of accounts requested. Please use getProgramAccountsV2 with pagination",
);

/** `whole` answers the large question instead. */
const programOf =
  (delegations: typeof ALL, whole = () => toProgram(delegations, null) as unknown) =>
  (params: Params) => {
    const byte = byteAsked(params);
    return byte === null ? whole() : toProgram(delegations, byte);
  };

function methodsOf({ asked }: TestServer): string {
  const methods = asked.map(({ body }) => {
    if (body?.method === "getProgramAccountsV2") return "by page";
    return byteAsked(body?.params as Params) === null ? "whole" : "by voter";
  });
  return methods.join(", ");
}

async function openNodes(...methods: Methods[]) {
  const nodes = await Promise.all(methods.map((one) => openNode(one)));
  return { nodes, read: () => readFromAll(nodes) };
}

function readFromAll(
  nodes: TestServer[],
  { clock = createClock(), within = 60_000, wrap = (rpc: Rpc) => rpc } = {},
) {
  return withRpc(nodes, clock, (rpc) => {
    const readers = wrap(rpc).endpoints.map((endpoint) => endpoint.until(clock.now() + within));
    return readStakeAccounts(readers, { rows: ROWS, epoch: EPOCH }).then(({ rows }) => rows);
  });
}

describe("the stake accounts", () => {
  it("are read in one answer from the first endpoint that gives it", async () => {
    const { read, nodes } = await openNodes(
      { getProgramAccounts: programOf(ALL, disabled), getProgramAccountsV2: () => toPage(ALL) },
      { getProgramAccounts: programOf(ALL) },
    );
    expect(await read()).toEqual(SUMS);
    expect(nodes.map(methodsOf)).toEqual(["whole", "whole"]);
  });

  it("are read page by page before anyone is asked for many parts", async () => {
    const { read, nodes } = await openNodes(
      { getProgramAccounts: programOf(ALL, disabled) },
      { getProgramAccounts: deprioritized, getProgramAccountsV2: () => toPage(ALL) },
    );
    expect(await read()).toEqual(SUMS);
    expect(nodes.map(methodsOf)).toEqual(["whole, by page", "whole, by page"]);
  });

  it("are read by voter where nothing else is offered", async () => {
    const { read, nodes } = await openNodes(
      { getProgramAccounts: deprioritized },
      { getProgramAccounts: programOf(ALL, fails(-32_012, "scan aborted: too much")) },
    );
    expect(await read()).toEqual(SUMS);
    expect(nodes.map(methodsOf)).toEqual([
      "whole, by page, by voter",
      "whole, by page, by voter, by voter",
    ]);
  });

  it.each<[string, string]>([
    ["is cut", toAnswer(ALL).slice(0, -1)],
    ["is cut between two accounts, and closed", toAnswer(ALL.slice(0, 1))],
    ["is a page of HTML", "<html></html>"],
    ["has no account", toAnswer([])],
    ["has something else after it", `${toAnswer(ALL)}<html>`],
  ])("are read by another method when the one answer %s", async (_, text) => {
    const answering: Methods[typeof INSTEAD] = (response, { body }) => {
      const isWhole = body?.method === "getProgramAccounts";
      if (isWhole) response.end(text);
      return isWhole;
    };
    const { read, nodes } = await openNodes(
      { [INSTEAD]: answering },
      { getProgramAccountsV2: () => toPage(ALL) },
    );
    expect(await read()).toEqual(SUMS);
    expect(methodsOf(nodes[1]!)).toBe("whole, by page");
  });

  it("are read by another method when one hangs, in what it leaves of the time", async () => {
    const { nodes } = await openNodes({}, { getProgramAccountsV2: () => toPage(ALL) });
    const clock = createClock();
    const hangs = (at: number, method: string) => at === 0 && method === "getProgramAccounts";
    const wrap = (rpc: Rpc) => withHanging(rpc, clock, { hangs });
    expect(await readFromAll(nodes, { clock, within: 4_500, wrap })).toEqual(SUMS);
    expect(nodes.map(methodsOf)).toEqual(["by page", "whole, by page"]);
  });

  it("that nobody gives are a failure that names every method, in as much text as an entry keeps", async () => {
    const long = fails(-32_010, `excluded ${"at length ".repeat(100)}`);
    const { read, nodes } = await openNodes(
      { getProgramAccounts: long },
      { getProgramAccounts: long },
    );
    const message = await read().then(String, (error: unknown) => (error as Error).message);
    expect(message.length).toBeLessThanOrEqual(RAW_TEXT_MAX);
    for (const method of ["whole", "by page", "by voter"]) {
      for (const [index, { url }] of nodes.entries())
        expect(message).toContain(`${method}: ${url}#${index} getProgram`);
    }
  });
});

describe("stake accounts that do not add up to the active stake", () => {
  const withEffective = (stake: bigint) => [
    delegation({ stake }),
    delegation({ stake: 7n * SOL, activation: NOW }),
  ];

  it.each([90n * SOL, 100n * SOL, 110n * SOL])(
    "are taken for whole with %i lamports of 100 SOL",
    async (stake) => {
      const { read } = await openNodes({ getProgramAccounts: programOf(withEffective(stake)) });
      expect(await read()).toEqual([
        [key(1), 7n * SOL, 0n, 2],
        [key(2), 0n, 0n, 0],
      ]);
    },
  );

  it.each([
    [90n * SOL - 1n, "found 89 of 100 SOL"],
    [110n * SOL + 1n, "found 110 of 100 SOL"],
    [0n, "found 0 of 100 SOL"],
  ])("are refused with %i lamports of 100 SOL, and say so", async (stake, figures) => {
    const { read, nodes } = await openNodes({
      getProgramAccounts: programOf(withEffective(stake)),
    });
    const reason = `whole: ${nodes[0]!.url}#0: ${figures} of active stake; by page: `;
    await expect(read()).rejects.toMatchObject({
      message: expect.stringContaining(reason) as string,
    });
  });

  it("on one endpoint may on another", async () => {
    const { read } = await openNodes(
      { getProgramAccounts: programOf(withEffective(50n * SOL)) },
      { getProgramAccounts: programOf(ALL) },
    );
    expect(await read()).toEqual(SUMS);
  });

  it("because a page is given twice are refused", async () => {
    let page = 0;
    const { read } = await openNodes({
      getProgramAccounts: deprioritized,
      getProgramAccountsV2: () => toPage(ALL, page++ === 0 ? "another" : null),
    });
    await expect(read()).rejects.toThrow(/by page: .*found 200 of 100 SOL/);
  });

  it("for a delegation to nobody's vote account counts for nothing", async () => {
    const foreign = delegation({ vote: key(3), stake: 90n * SOL });
    const { read } = await openNodes({ getProgramAccounts: programOf([...ALL, foreign]) });
    expect(await read()).toEqual(SUMS);
    const { read: readLess } = await openNodes({
      getProgramAccounts: programOf([ALL[0]!, foreign]),
    });
    await expect(readLess()).rejects.toThrow(/found 60 of 100 SOL/);
  });
});
