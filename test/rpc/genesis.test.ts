import { expect, it } from "vitest";
import { readGenesis } from "../../generator/rpc/genesis.ts";
import { GENESIS } from "../observe/cluster.ts";
import { createClock, key } from "../observe/fixtures.ts";
import { fails, servers } from "../observe/observing.ts";
import { type Methods, startNode } from "./rpc-server.ts";

const TRUE: Methods = { getGenesisHash: GENESIS };
const OTHER: Methods = { getGenesisHash: key(78) };
const FAILING: Methods = { getGenesisHash: fails(-32_000, "no genesis hash yet") };

/** @param paths of the addresses of each node, which are of one origin; by default one */
async function read(nodes: Methods[], paths: string[][] = []): Promise<string> {
  const started = await Promise.all(nodes.map(startNode));
  servers.push(...started);
  const { now, sleep } = createClock();
  const endpoints = started.flatMap(({ url }, node) =>
    (paths[node] ?? [""]).map((path) => `${url}${path}`),
  );
  return readGenesis({ endpoints, now, sleep, random: () => 0, deadline: now() + 5_000 });
}

it.each<[string, Methods[]]>([
  ["the only one answers", [TRUE]],
  ["the first of two answers", [TRUE, OTHER]],
  ["alone of two answers", [FAILING, TRUE]],
  ["two of three answer, whoever is first", [OTHER, TRUE, TRUE]],
  ["alone of three answers", [FAILING, FAILING, TRUE]],
  ["three of four answer", [OTHER, TRUE, TRUE, TRUE]],
  ["two of four answer, one of which is the first", [TRUE, OTHER, OTHER, TRUE]],
  ["the first four answer, whatever others do", [TRUE, TRUE, OTHER, FAILING, OTHER, OTHER]],
])("the genesis of a cluster is the one that %s", async (_, nodes) => {
  expect(await read(nodes)).toBe(GENESIS);
});

it("several addresses at one origin count once", async () => {
  expect(await read([TRUE, OTHER], [["/a"], ["/a", "/b"]])).toBe(GENESIS);
});

it("no genesis is learned where nobody answers, and every reason is told", async () => {
  await expect(read([FAILING, FAILING])).rejects.toThrow(
    /#0 getGenesisHash: .*no genesis hash yet.*; .*#1 getGenesisHash/,
  );
});
