import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { themeChanges } from "./theme.ts";
import "uplot/dist/uPlot.min.css";
import "../style/chart.css";

/** Colours of the theme, as charts use them. */
export interface ChartColours {
  text: string;
  grid: string;
  /** The first and the second of what is compared. */
  one: string;
  other: string;
  accent: string;
  accentGround: string;
  rug: string;
}

interface ChartProps {
  /** All but the size; made anew when the theme changes. Give the same function while nothing else changed. */
  toOptions: (colours: ChartColours) => Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
  /** In pixels of CSS, without the legend below it. */
  height?: number;
}

const HEIGHT = 190;

/**
 * A chart by uPlot, as wide as its place. It is a picture and hidden from screen readers: say beside it in words, or in a
 * table, what it shows.
 */
export function Chart({ toOptions, data, height = HEIGHT }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const changes = themeChanges.value;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot({ ...toOptions(readColours(element)), width: element.clientWidth, height }, data, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // New data does not need a new chart: the effect below sees to it.
  }, [toOptions, height, changes]);
  useEffect(() => plot.current?.setData(data), [data]);

  return <div class="chart" ref={place} aria-hidden="true" />;
}

function readColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const get = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: get("text-quiet"),
    grid: get("line"),
    one: get("chart-one"),
    other: get("chart-other"),
    accent: get("accent"),
    accentGround: get("accent-ground"),
    rug: get("rug"),
  };
}
