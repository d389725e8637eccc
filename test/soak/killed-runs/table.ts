import type { Life } from "./life.ts";
import { tellKill, type Kill } from "./kills.ts";

/** A kill and what came of it. */
export interface Killed {
  kill: Kill;
  life: Life;
}

/** A line for each kill, in Markdown. */
export function toRow({ kill, life }: Killed): string {
  const { activity, isMet, requests, seconds } = life;
  return `| ${tellKill(kill)} | ${isMet ? activity : `did not come there: ${activity}`} | ${requests.length} | ${seconds} |`;
}

export const HEAD = ["| killed at | it was doing | requests | seconds |", "| --- | --- | --: | --: |"];

/** How many kills hit what, those at random and those aimed apart, in Markdown. */
export function toTable(all: readonly Killed[]): string[] {
  const isAimed = ({ kill }: Killed) => "kind" in kill;
  const activities = Map.groupBy(all, ({ life }) => life.activity);
  const rows = [...activities].map(([activity, killed]) => {
    const aimed = killed.filter(isAimed).filter(({ life }) => life.isMet);
    const blows = Map.groupBy(aimed, ({ kill }) => ("blow" in kill ? kill.blow : "")).entries();
    const told = [...blows].map(([blow, some]) => `${some.length} ${blow}`).join("; ");
    return `| ${activity} | ${killed.filter((one) => !isAimed(one)).length} | ${aimed.length} | ${told} |`;
  });
  const missed = all.filter((one) => isAimed(one) && !one.life.isMet).length;
  return [
    "| it was doing | random | aimed | of the aimed |",
    "| --- | --: | --: | --- |",
    ...rows.sort(),
    `${all.length} processes killed; ${missed} aimed kills did not come to their request in time`,
  ];
}
