import { rename } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { checkJournal } from "../../generator/service/doctor/journal.ts";
import { openStore } from "../../generator/store/open.ts";
import { makeContext, toFindingLine } from "./doctor/node.ts";
import { publish } from "../../generator/service/publishing.ts";
import { rebuild } from "../../generator/service/rebuild.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { toDirectory } from "../../generator/settings/settings.ts";
import { readTimeless } from "./documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "./harness.ts";

describe("a state that is lost, or another one than the documents were made from", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ validators: 12 });
    await stage.play({ until: STARTS_AT + 2 * MINUTE });
    const state = toDirectory(stage.command.settings.stateStore)!;
    await rename(state, `${state}-lost`);
    return () => stage.close();
  });

  it("is not begun anew over them, whatever is run", async () => {
    const before = await readTimeless(stage);
    const none = () => undefined;
    const rebuilding = (verify: boolean, prune: boolean) =>
      rebuild({ ...stage.command, verify, prune, onDifference: none, onProgress: none });
    for (const command of [
      ...[
        () => snapshot(stage.command),
        () => publish(stage.command),
        () => rebuilding(false, false),
      ],
      ...[() => rebuilding(true, false), () => rebuilding(false, true)],
    ])
      await expect(command()).rejects.toThrow(
        /has documents of mainnet, but .* check RUGWATCH_STATE/,
      );
    expect(await readTimeless(stage)).toEqual(before);
  });

  it("is a problem for the doctor, which says where the copy is described", async () => {
    const { publicStore, command } = stage;
    const context = makeContext({
      publicStore,
      stateStore: openStore(command.settings.stateStore),
    });
    const [finding, ...others] = await checkJournal("mainnet", context);
    expect(toFindingLine(finding!)).toMatch(
      /^problem journal: .* has documents of mainnet, but .* has no journal for them: check RUGWATCH_STATE → .*infra\/RUNBOOK\.md/,
    );
    expect(others).toEqual([]);
  });

  it("is begun anew when an operator says so", async () => {
    expect((await snapshot({ ...stage.command, newSeries: true })).accepted).toBe(true);
  });
});
