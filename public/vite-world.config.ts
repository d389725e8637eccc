import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Plugin } from "vite";
import type { World } from "./parts/world.ts";

const ID = "virtual:world";

/** Browsers get finished paths, simplified while the site is built, and no library of maps. */
export function world(): Plugin {
  return {
    name: "world",
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load: async (id) =>
      id === `\0${ID}` ? `export default ${JSON.stringify(await readWorld())};` : null,
  };
}

/** Natural Earth at 1:110 million; at 1:50 million for the places of small countries. */
export async function readWorld(): Promise<World> {
  const [coarse, fine] = await Promise.all([readAtlas("110m"), readAtlas("50m")]);
  const countries = coarse
    .map(({ name, rings }) => ({ name, path: toPath(rings) }))
    .filter(({ path }) => path !== "");
  const drawn = new Set(countries.map(({ name }) => name));
  const dots = fine
    .filter(({ name }) => !drawn.has(name))
    .map(({ name, rings }) => ({ name, ...toMiddle(rings) }))
    .filter(({ y }) => y < HEIGHT);
  return { width: WIDTH, height: HEIGHT, countries, dots };
}

/** Longitude and latitude, degrees. */
type Point = readonly [number, number];
type Ring = readonly Point[];

/** https://github.com/topojson/topojson-specification, as far as world-atlas uses it. */
interface Topology {
  transform: { scale: Point; translate: Point };
  arcs: Point[][];
  objects: { countries: { geometries: Geometry[] } };
}

type Geometry = { properties: { name: string } } & (
  { type: "Polygon"; arcs: number[][] } | { type: "MultiPolygon"; arcs: number[][][] }
);

async function readAtlas(scale: "110m" | "50m"): Promise<{ name: string; rings: Ring[] }[]> {
  const file = createRequire(import.meta.url).resolve(`world-atlas/countries-${scale}.json`);
  const { transform, arcs, objects } = JSON.parse(await readFile(file, "utf8")) as Topology;
  const lines = arcs.map((arc) => toLine(arc, transform));
  const toRing = (indexes: readonly number[]): Ring =>
    // A complement (~) stands for the line backwards.
    unwrap(
      indexes.flatMap((index) =>
        index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []),
      ),
    );
  return objects.countries.geometries.map((geometry) => ({
    name: geometry.properties.name,
    rings: (geometry.type === "Polygon" ? geometry.arcs : geometry.arcs.flat()).map(toRing),
  }));
}

/** A ring that crosses the date line goes on beyond the edge of the map. */
function unwrap(ring: Ring): Ring {
  let turns = 0;
  return ring.map(([longitude, latitude], index) => {
    const step = longitude - (ring[index - 1]?.[0] ?? longitude);
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [longitude + 360 * turns, latitude];
  });
}

/** Each point is a step from the one before. */
function toLine(arc: readonly Point[], { scale, translate }: Topology["transform"]): Point[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

const WIDTH = 720;
/** Antarctica, where nobody validates, is left out. */
const [NORTH, SOUTH] = [84, -57];
const HEIGHT = ((NORTH - SOUTH) / 360) * WIDTH;
/** In the units of the box: what is smaller is not seen. */
const RING_MIN = 3;

function project([longitude, latitude]: Point): [x: number, y: number] {
  return [((longitude + 180) / 360) * WIDTH, ((NORTH - latitude) / 360) * WIDTH];
}

/** On whole units: points that fall together are one. */
function toPath(rings: readonly Ring[]): string {
  return rings
    .map((ring) => {
      const points = ring
        .map((point) => project(point).map(Math.round) as [number, number])
        .filter(([x, y], index, all) => x !== all[index - 1]?.[0] || y !== all[index - 1]?.[1]);
      const [first] = points;
      const isSeen = points.length > RING_MIN && points.some(([, y]) => y < HEIGHT);
      return first === undefined || !isSeen ? "" : `M${first.join(" ")}${toSteps(points)}z`;
    })
    .join("");
}

function toSteps(points: readonly [number, number][]): string {
  const steps = points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? [0, 0];
    return `l${x - fromX} ${y - fromY}`;
  });
  return steps.join("").replaceAll(" -", "-");
}

/** Of the largest ring. */
function toMiddle(rings: readonly Ring[]): { x: number; y: number } {
  const [largest = []] = [...rings].sort((one, other) => other.length - one.length);
  const points = largest.map(project);
  const middleOf = (values: number[]) =>
    Math.round((Math.min(...values) + Math.max(...values)) / 2);
  return { x: middleOf(points.map(([x]) => x)), y: middleOf(points.map(([, y]) => y)) };
}
