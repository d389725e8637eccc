import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { shownTheme } from "./theme.ts";
import "uplot/dist/uPlot.min.css";
import "../style/chart.css";

export interface ChartColours {
  text: string;
  grid: string;
  one: string;
  other: string;
  accent: string;
  accentGround: string;
  rug: string;
}

interface ChartProps {
  /** Called again when the theme changes. Another function makes another chart. */
  toOptions: (colours: ChartColours) => Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
  height?: number;
}

const HEIGHT = 190;

/** Hidden from screen readers: put its content beside it. */
export function Chart({ toOptions, data, height = HEIGHT }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const theme = shownTheme.value;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const options = withRest(toOptions(readColours(element)));
    const made = new uPlot({ ...options, width: element.clientWidth, height }, data, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [toOptions, height, theme]);
  useEffect(() => plot.current?.setData(data), [data]);

  return <div class="chart" ref={place} aria-hidden="true" />;
}

type Options = Omit<uPlot.Options, "width" | "height">;

/** Without a pointer on the chart, the legend shows the newest values. */
function withRest(options: Options): Options {
  const toNewest = (plot: uPlot) =>
    options.cursor?.dataIdx?.(plot, 0, plot.data[0].length - 1, 0) ?? plot.data[0].length - 1;
  const toSeries = ({ value, ...series }: uPlot.Series): uPlot.Series =>
    typeof value !== "function"
      ? series
      : {
          ...series,
          value: (plot, raw, index, at) => {
            const shown = at ?? toNewest(plot);
            return value(
              plot,
              at === null ? ((plot.data[index]?.[shown] ?? null) as number) : raw,
              index,
              shown,
            );
          },
        };
  return { ...options, series: options.series.map(toSeries) };
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
