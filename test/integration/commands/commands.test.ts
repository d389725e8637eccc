import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readShellBlocks, readShellLines } from "../../infra/shell-blocks.ts";
import { PROOFS, type Proof } from "./proofs.ts";
import { openStage, type Stage } from "./stage.ts";
import { isPresent } from "../../required.ts";

const HOUSE = join(import.meta.dirname, "../../..");
const hasPrograms = isPresent(
  "curl or jq",
  ["curl", "jq"].every((name) => spawnSync(name, ["--version"]).status === 0),
);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  return () => stage.close();
});

describe.skipIf(!hasPrograms).each(Object.entries(PROOFS))("%s", (file, proofs) => {
  const blocks = readShellBlocks(readFileSync(join(HOUSE, file), "utf8")).map(readShellLines);
  const played = blocks.flatMap((lines) =>
    lines.map((line, at) => ({ line, sets: toSets(lines.slice(0, at), proofs) })),
  );

  it.each(played.filter(({ line }) => !("because" in (proofs[line] ?? {}))))(
    "$line",
    async ({ line, sets }) => {
      const proof = proofs[line];
      if (proof === undefined || "because" in proof)
        throw new Error(`proofs.ts has no row for ${line}`);
      if ("serves" in proof) return stage.serve(line, proof.serves, proof.at);
      const output = await stage.play(line, sets);
      if ("shows" in proof)
        expect(proof.makes === undefined ? output : await stage.read(proof.makes)).toMatch(
          proof.shows,
        );
    },
  );
});

function toSets(above: readonly string[], proofs: Record<string, Proof>): string[] {
  return above.filter((line) => "sets" in (proofs[line] ?? {}));
}
