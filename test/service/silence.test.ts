import { expect, it } from "vitest";
import type { Witness } from "../../generator/rpc/ranking.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import { createSilenceWarnings } from "../../generator/service/silence-warnings.ts";
import { findFreePort } from "../free-port.ts";
import { readDocument } from "./documents.ts";
import { MINUTE, STARTS_AT, openOwnStage } from "./harness.ts";

const toWitnesses = (...reasons: (string | null)[]): Witness[] =>
  reasons.map((reason, index) => {
    const label = `https://${"abcd"[index] ?? ""}.example#${index}`;
    return {
      label,
      endpoints: [],
      reason: reason === null ? null : `${label} getHealth: ${reason}`,
    };
  });
const WELL = toWitnesses(null, null, null);
const GONE = toWitnesses(null, "ECONNREFUSED", "timeout");
const SILENT =
  "2 of 3 witnesses silent, so that no change can be confirmed: " +
  "https://b.example#1 getHealth: ECONNREFUSED; https://c.example#2 getHealth: timeout";

it("warns when silence begins, when a change begins to wait, with each snapshot, and when it ends", () => {
  let witnesses: Witness[] = [];
  const warn = createSilenceWarnings(() => witnesses);
  const steps: [Witness[], "check" | "snapshot", pending: number, expected: string[]][] = [
    [[], "check", 0, []],
    [WELL, "snapshot", 3, []],
    [GONE, "check", 0, [SILENT]],
    [GONE, "check", 0, []],
    [GONE, "check", 2, [SILENT]],
    [GONE, "check", 12, []],
    // A refused observation counts nothing.
    [GONE, "check", 0, []],
    [GONE, "check", 12, []],
    [GONE, "snapshot", 12, [SILENT]],
    [
      toWitnesses(null, null, "timeout"),
      "check",
      12,
      ["2 of 3 witnesses answer again: changes can be confirmed"],
    ],
    [toWitnesses(null, null, "timeout"), "snapshot", 0, []],
  ];
  for (const [seen, kind, pending, expected] of steps) {
    witnesses = seen;
    const report: Report = { ...createReport(kind, "mainnet"), pending };
    warn(kind, report);
    expect(report.warnings).toEqual(expected);
  }
});

it("is reported by a run whose witnesses are gone, and by the status", async () => {
  const stage = await openOwnStage({ validators: 20 });
  const { settings } = stage.command;
  const [well = ""] = settings.rpcUrls.mainnet;
  const dead = [await findFreePort(), await findFreePort()].map(
    (port) => `http://127.0.0.1:${port}`,
  );
  stage.command.settings = {
    ...settings,
    rpcUrls: { ...settings.rpcUrls, mainnet: [well, ...dead] },
  };
  const reports = await stage.play({ until: STARTS_AT + 15 * MINUTE });
  const warned = reports.filter(({ warnings }) => warnings.length > 0);
  const isNews = ({ command, pending }: Report, index: number) =>
    command === "snapshot" || (pending > 0 && reports[index - 1]?.pending === 0);
  expect(warned).toEqual(reports.filter(isNews));
  expect(warned.map(({ command }) => command)).toEqual(["snapshot", "check", "snapshot"]);
  for (const { warnings } of warned)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^2 of 3 witnesses silent, so that no change can be confirmed: http:.*ECONNREFUSED; http:/,
      ),
    ]);
  const { data } = await readDocument(stage, "status", {});
  expect(
    data.pending.map(
      ({ witnesses }) => witnesses.filter(({ commission }) => commission === null).length,
    ),
  ).toEqual(data.pending.map(() => dead.length));
  expect(data.pending).not.toEqual([]);
  expect(data.sources.find(({ name }) => name === "witnesses")).toMatchObject({
    state: "failed",
    reason: "witnesses_silent, no_connection",
  });
});
