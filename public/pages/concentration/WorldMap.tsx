import { useMemo } from "preact/hooks";
import world from "virtual:world";
import type { Share } from "../../../generator/contract/stats.ts";
import { toSharePercent } from "../../format/values.ts";
import { createFindShare } from "./countries.ts";
import "../../style/world-map.css";

const DOT_UNITS = 4;

/** The stronger its colour, the more stake a country has. Its table stands below. */
export default function WorldMap({ shares }: { shares: readonly Share[] }) {
  const find = useMemo(() => createFindShare(shares), [shares]);
  const largest = Math.max(...shares.map(({ stakePercent }) => stakePercent), 0);
  const toFill = ({ stakePercent }: Share) => 0.25 + 0.75 * Math.sqrt(stakePercent / largest);
  const names = [...world.countries, ...world.dots].flatMap(({ name }) => find(name)?.name ?? []);
  const missing = shares.filter(({ name }) => !names.includes(name));
  return (
    <figure class="world">
      <svg viewBox={`0 0 ${world.width} ${world.height}`} role="img" aria-label={toLabel(shares)}>
        {world.countries.map(({ name, path }) => {
          const share = find(name);
          return share === null ? (
            <path key={name} class="world-land" d={path} />
          ) : (
            <path key={name} class="world-stake" d={path} fill-opacity={toFill(share)}>
              <title>{toTitle(share)}</title>
            </path>
          );
        })}
        {world.dots.map(({ name, x, y }) => {
          const share = find(name);
          return (
            share !== null && (
              <circle
                key={name}
                class="world-stake"
                cx={x}
                cy={y}
                r={DOT_UNITS}
                fill-opacity={toFill(share)}
              >
                <title>{toTitle(share)}</title>
              </circle>
            )
          );
        })}
      </svg>
      <figcaption class="quiet">
        The stronger its colour, the more stake a country has.
        {missing.length > 0 && ` Not drawn: ${missing.map(({ name }) => name).join(", ")}.`}
      </figcaption>
    </figure>
  );
}

function toTitle({ name, stakePercent }: Share): string {
  return `${name}: ${toSharePercent(stakePercent)}`;
}

const NAMED = 3;

function toLabel(shares: readonly Share[]): string {
  return `Map of stake. Most is in ${shares.slice(0, NAMED).map(toTitle).join(", ")}.`;
}
