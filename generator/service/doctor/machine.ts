import { ok, warning, type Finding } from "./findings.ts";

/**
 * Whether this Node is the one that Rugwatch is written for.
 * @param running version, as `24.21.0`
 * @param wanted what `.nvmrc` says, as `24` or `24.21`; null: there is no such file here
 */
export function examineNode({ running, wanted }: { running: string; wanted: string | null }): Finding {
  if (wanted === null) return ok("Node", `${running}; no .nvmrc here to compare it with`);
  const version = wanted.trim().replace(/^v/, "");
  if (running === version || running.startsWith(`${version}.`)) return ok("Node", `${running}, as .nvmrc wants`);
  return warning(
    "Node",
    `${running}, but .nvmrc wants ${version}`,
    `Start it with npm run, or install Node ${version}.`,
  );
}
