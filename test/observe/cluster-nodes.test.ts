import { describe, expect, it } from "vitest";
import { readClusterNodes } from "../../generator/observe/cluster-nodes.ts";
import { key, readFrom } from "./fixtures.ts";

const read = (...getClusterNodes: unknown[]) =>
  readFrom({ getClusterNodes }, (reader) =>
    readClusterNodes(reader, new Set([key(1), key(2), key(3)])),
  );

describe("the nodes of the cluster", () => {
  it("are only those of the identities asked about, each once", async () => {
    const nodes = await read(
      { pubkey: key(9), gossip: "1.1.1.1:8001", version: "4.2.1", clientId: "Agave" },
      {
        pubkey: key(1),
        gossip: "203.0.113.7:8001",
        tpu: null,
        version: "4.2.1",
        clientId: "JitoLabs",
        featureSet: 1,
      },
      { pubkey: key(1), gossip: "8.8.8.8:8001", version: "4.0.0", clientId: 3 },
    );
    expect(nodes).toEqual([
      { identity: key(1), version: "4.2.1", clientId: "JitoLabs", ip: "203.0.113.7" },
    ]);
  });

  it("keep the version as it was said: what is well-formed is a rule of the fold", async () => {
    const version = "v4.16386 (src:0a1b2c3d)";
    expect(await read({ pubkey: key(1), version })).toMatchObject([{ version }]);
  });

  it.each([
    ["Agave", "Agave"],
    ["Unknown(86)", "Unknown(86)"],
    [8, 8],
    [null, null],
    [undefined, null],
    [{ id: 3 }, null],
    [true, null],
  ])(
    "keep the client id %j as it was rendered: which client it is, is a rule of the fold",
    async (clientId, kept) => {
      expect(await read({ pubkey: key(1), clientId })).toMatchObject([{ clientId: kept }]);
    },
  );

  it("do not fail for one with odd fields", async () => {
    const odd = [
      null,
      { pubkey: "short" },
      { pubkey: key(1), gossip: 5, version: 4, clientId: {} },
      { pubkey: key(2) },
    ];
    const nothing = { version: null, clientId: null, ip: null };
    expect(await read(...odd)).toEqual(
      [key(1), key(2)].sort().map((identity) => ({ identity, ...nothing })),
    );
  });

  it.each([
    [{ gossip: "[2a01:4f8::1]:8001" }, "2a01:4f8::1"],
    [{ gossip: "[::ffff:1.2.3.4]:8001" }, "1.2.3.4"],
    [{ gossip: "0.0.0.0:8001", tpuQuic: "1.2.3.4:8009" }, "1.2.3.4"],
    [{ gossip: null, tvu: "1.2.3.4:8002" }, "1.2.3.4"],
    [{ gossip: "0.0.0.0:8001" }, null],
    [{ gossip: "example.org:8001" }, null],
    [{ gossip: "127.1:8001" }, null],
    [{ gossip: "1.2.3.4" }, null],
    [{ gossip: "<script>" }, null],
  ])("have the address of %j", async (sockets, ip) => {
    expect(await read({ pubkey: key(1), ...sockets })).toMatchObject([{ ip }]);
  });
});
