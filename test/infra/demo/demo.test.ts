import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildSite } from "../../../infra/demo/site.ts";
import { answerMevValidators, answerValidatorHistory } from "../../cluster/rpc/mev-api.ts";
import { startSimulator } from "../../cluster/simulator.ts";
import { ENDPOINTS } from "../../cluster/options.ts";
import { makeDirectory } from "../../store/directory.ts";
import { makeCluster, send, timeAt } from "./_cluster.ts";

describe("the site of the demo", () => {
  async function build(below: string, signal = new AbortController().signal) {
    const { directory: place, remove } = await makeDirectory();
    onTestFinished(remove);
    await writeFile(join(place, "file"), "");
    const directory = join(place, below);
    const said: string[] = [];
    const built = await buildSite({ directory, signal, say: (line) => void said.push(line) });
    return { directory, built, said };
  }

  it("is built into the directory asked for, without a style or script in its page", async () => {
    const { directory, built, said } = await build("site");
    expect({ built, said }).toEqual({ built: directory, said: ["Building the site."] });
    const page = await readFile(join(directory, "index.html"), "utf8");
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-[\w-]{8}\.js">/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it("is left out, and why is said, where it cannot be built", async () => {
    const { built, said } = await build("file/site");
    expect(built).toBeNull();
    expect(said.at(-1)).toMatch(
      /^The demo runs without the site, because the build failed: .*ENOTDIR/s,
    );
  });

  it("is not waited for by a demo that was stopped", async () => {
    await expect(
      build("site", AbortSignal.abort(new Error("stopped by SIGINT"))),
    ).rejects.toThrow();
  });
});

describe("the simulator's servers", () => {
  it("answer what the cluster does, at an origin for each endpoint, and the vendor's API", async () => {
    const at = timeAt(1.25);
    const cluster = makeCluster();
    const simulator = await startSimulator({ clusters: [cluster], now: () => at, isDated: true });
    onTestFinished(() => simulator.close());
    const urls = simulator.rpcUrls("mainnet");
    expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(ENDPOINTS.length);
    const body = '{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}';
    for (const [place, endpoint] of ENDPOINTS.entries()) {
      const response = await fetch(urls[place]!, { method: "POST", body });
      expect(await response.text()).toBe(send(cluster, body, { at, endpoint }));
      expect(response.headers.get("date")).toBe(new Date(at).toUTCString());
    }
    const mev = `${simulator.mevUrl("mainnet")}/api/v1`;
    const { moment } = cluster.at(at);
    const { address } = cluster.members[0]!.vote;
    const told = async (path: string, init: object = {}) => (await fetch(mev + path, init)).text();
    const closed = { method: "POST", body: '{"epoch":1060}' };
    expect(await told("/validators")).toBe(answerMevValidators(cluster, moment, null).body);
    expect(await told("/validators", closed)).toBe(
      answerMevValidators(cluster, moment, closed.body).body,
    );
    const { body: history } = answerValidatorHistory(cluster, moment, address);
    expect(await told(`/validator_history/${address}`)).toBe(history);
    expect(simulator.mevUrl("alpenglow")).toBeNull();
    const statuses = [
      [urls[0]!, {}, 405],
      [`${mev}/validators`, { method: "PUT" }, 405],
      [`${mev}/validator_history/${address}`, { method: "POST" }, 405],
      [`${simulator.url}/nowhere`, {}, 404],
      [urls[0]!, { method: "POST", body: "x".repeat(70_000) }, 413],
    ] as const;
    for (const [url, init, status] of statuses)
      expect((await fetch(url, init)).status, url).toBe(status);
  });
});
