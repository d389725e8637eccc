import type { SettingsDiagnosis } from "../../settings/settings.ts";
import { ok, problem, type Finding } from "./findings.ts";

/** Which variables are set, and what is wrong with them. Never their values: some hold keys. */
export function examineSettings({ set, unset, complaints }: SettingsDiagnosis): Finding[] {
  return [
    ok("set", set.length === 0 ? "no variable" : set.join(", ")),
    ok("default", unset.length === 0 ? "no variable" : unset.join(", ")),
    ...complaints.map((complaint) => problem("wrong", complaint, "README.md has the table of variables.")),
  ];
}
