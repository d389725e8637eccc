import { beforeEach, describe, expect, it } from "vitest";
import { toComplaints } from "../../generator/commands/complaint.ts";
import { run } from "../../generator/service/run.ts";
import type { NetworksError } from "../../generator/service/for-each-network.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { MINUTE, openStage, type Stage } from "./harness.ts";

describe("several networks, of which some fail", () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await openStage({ validators: 12 });
    const { settings } = stage.command;
    // Not a JSON-RPC server. Alpenglow's genesis is not
    // pinned: without an endpoint its context cannot open.
    const nowhere = settings.rpcUrls.mainnet
      .slice(0, 1)
      .map((url) => new URL("/nowhere", url).href);
    stage.command.settings = {
      ...settings,
      rpcUrls: { ...settings.rpcUrls, alpenglow: nowhere, testnet: nowhere },
    };
    return () => stage.close();
  });

  it("say which one did, and report on the others", async () => {
    const failure = await snapshot({ ...stage.command, network: "all" }).catch(
      (error: unknown) => error,
    );
    expect(toComplaints(failure)).toEqual([
      expect.stringMatching(/^rugwatch: alpenglow: .*status 404/),
    ]);
    const { report } = failure as NetworksError;
    expect([report?.network, (report?.documents.written ?? 0) > 0]).toEqual(["all", true]);
  });

  let errors: string[];
  const observers = {
    onReport: () => undefined,
    onError: (error: unknown) => void errors.push(String(error)),
  };
  beforeEach(() => void (errors = []));

  it("say so at each try of a run", async () => {
    const running = run({
      ...stage.command,
      network: "alpenglow",
      forMilliseconds: 1.5 * MINUTE,
      ...observers,
    });
    await expect(running).rejects.toThrow(/status 404/);
    expect(errors).toEqual([expect.stringMatching(/^Error: alpenglow: .*status 404/)]);
  });

  it("say so at each observation of a run that fails", async () => {
    // An object where the journal needs a directory prevents puts.
    await stage.stateStore.put("journal", new Uint8Array(), {
      expect: "any",
      contentType: "text/plain",
    });
    await run({ ...stage.command, forMilliseconds: 1, ...observers });
    expect(errors).toEqual([expect.stringMatching(/^Error: mainnet: put journal\//)]);
  });

  it("are not named where there is but one", async () => {
    await expect(snapshot({ ...stage.command, network: "alpenglow" })).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+#0 /,
    );
  });
});
