import { useRef, useState } from "preact/hooks";
import type { CommissionEvent, Source } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { toSides } from "../../format/events.ts";
import {
  type Rates,
  type Scale,
  toExcessArea,
  toHeight,
  toMiddle,
  toStepArea,
  toStepLine,
} from "../../format/rate-shapes.ts";
import { toAddress } from "../../format/url.ts";
import { toCounted, toPercent } from "../../format/values.ts";
import { useUrl } from "../../parts/use-url.ts";
import { useWidth } from "../../parts/use-width.ts";
import { type Band, type Pin, toBands, toLabels, toPins, toTicks } from "./rate-marks.ts";
import "../../style/rate-chart.css";

interface RateChartProps {
  points: readonly CommissionPoint[];
  /** Newest first. */
  events: readonly CommissionEvent[];
  source: Source;
}

const HEIGHT = 190;
/** Above the 100 % line are the pins, below the 0 % line the epochs. */
const TOP = 30;
const BOTTOM = 22;
const LEFT = 44;
const RIGHT = 4;
const GRID = [0, 50, 100];

/** Always from 0 to 100 %. Its table stands below; only its pins are for screen readers. */
export function RateChart({ points, events, source }: RateChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [index, setIndex] = useState<number | null>(null);
  const rates = toRates(points, source);
  const scale: Scale = {
    left: LEFT,
    step: Math.max(0, width - LEFT - RIGHT) / Math.max(1, points.length),
    top: TOP,
    height: HEIGHT - TOP - BOTTOM,
  };
  const of = events.filter((event) => event.source === source);
  const first = points[0]?.epoch ?? 0;
  const pins = toPins(of, { first, scale });
  return (
    <div class="rate-chart" ref={place}>
      {width > 0 && (
        <>
          <svg
            width={width}
            height={HEIGHT}
            onPointerMove={({ offsetX }) => setIndex(toIndex(offsetX, scale, points.length))}
            onPointerLeave={() => setIndex(null)}
          >
            <g aria-hidden="true">
              <Bands bands={toBands(of)} first={first} count={points.length} scale={scale} />
              <Grid points={points} width={width} scale={scale} />
              <Lines rates={rates} width={width} scale={scale} />
              {index !== null && (
                <path
                  class="rate-pointer"
                  d={`M${toMiddle(index, scale)} ${TOP}V${HEIGHT - BOTTOM}`}
                />
              )}
            </g>
            {pins.map((pin) => (
              <PinLink key={pin.event.id} pin={pin} />
            ))}
          </svg>
          <Legend
            rates={rates}
            hasExcess={toExcessArea(rates.paid, rates.announced ?? [], scale) !== ""}
            hasPins={pins.length > 0}
            hasBands={toBands(of).length > 0}
          />
          <p class="rate-readout quiet" aria-hidden="true">
            {toReadout(points[index ?? points.length - 1], source)}
          </p>
        </>
      )}
    </div>
  );
}

interface OfRates {
  paid: Rates;
  /** null: only one rate is known of this source. */
  announced: Rates | null;
  measured: Rates | null;
}

function toRates(points: readonly CommissionPoint[], source: Source): OfRates {
  if (source === "MEV")
    return {
      paid: points.map(({ mevCommission }) => mevCommission),
      announced: null,
      measured: null,
    };
  return {
    paid: points.map(({ appliedCommission }) => appliedCommission),
    announced: points.map(({ commission }) => commission),
    measured: points.map(({ paidCommission }) => paidCommission),
  };
}

function Bands({
  bands,
  first,
  count,
  scale,
}: {
  bands: readonly Band[];
  first: number;
  count: number;
  scale: Scale;
}) {
  return bands.map(({ from, to }) => {
    const [left, right] = [Math.max(0, from - first), Math.min(count, to - first + 1)];
    return right <= left ? null : (
      <rect
        key={from}
        class="rate-band"
        x={scale.left + left * scale.step}
        y={scale.top}
        width={(right - left) * scale.step}
        height={scale.height}
      />
    );
  });
}

function Grid({
  points,
  width,
  scale,
}: {
  points: readonly CommissionPoint[];
  width: number;
  scale: Scale;
}) {
  const first = points[0]?.epoch ?? 0;
  return (
    <>
      {GRID.map((percent) => (
        <g key={percent}>
          <path class="rate-grid" d={`M${LEFT} ${toHeight(percent, scale)}H${width - RIGHT}`} />
          <text class="rate-axis" x={LEFT - 6} y={toHeight(percent, scale) + 4} text-anchor="end">
            {percent} %
          </text>
        </g>
      ))}
      {toTicks(points, scale.step).map((epoch) => (
        <text
          key={epoch}
          class="rate-axis"
          x={toMiddle(epoch - first, scale)}
          y={HEIGHT - 6}
          text-anchor="middle"
        >
          {epoch}
        </text>
      ))}
    </>
  );
}

const DOT_PIXELS = 3;

function Lines({ rates, width, scale }: { rates: OfRates; width: number; scale: Scale }) {
  const { paid, announced, measured } = rates;
  return (
    <>
      <path class="rate-area" d={toStepArea(paid, scale)} />
      {announced !== null && (
        <>
          <path class="rate-excess" d={toExcessArea(paid, announced, scale)} />
          <path class="rate-announced" d={toStepLine(announced, scale)} />
        </>
      )}
      <path class="rate-paid" d={toStepLine(paid, scale)} />
      {measured?.map((rate, index) =>
        rate === null ? null : (
          <circle
            key={index}
            class="rate-dot"
            cx={toMiddle(index, scale)}
            cy={toHeight(rate, scale)}
            r={Math.min(DOT_PIXELS, scale.step / 2)}
          />
        ),
      )}
      {toLabels({ paid, announced }, scale).map(({ text, y }) => (
        <text key={text} class="rate-label" x={width - RIGHT - 4} y={y} text-anchor="end">
          {text}
        </text>
      ))}
    </>
  );
}

/** The point of the pin stands on the 100 % line; the target is 24 pixels wide. */
const PIN_PATH = "M0 -4 L-6 -14 A7 7 0 1 1 6 -14 Z";

function PinLink({ pin: { event, x, count } }: { pin: Pin }) {
  const { path, query } = useUrl();
  const [from, to] = toSides(event);
  const others = count === 1 ? "" : `, the newest of ${toCounted(count, "rug")} here`;
  const name = `Rug in epoch ${event.epoch}, ${from} to ${to}${others}: evidence`;
  return (
    <a href={toAddress(path, { ...query, event: event.id })} aria-label={name}>
      <title>{name}</title>
      <g transform={`translate(${x} ${TOP})`}>
        <rect class="rate-pin-target" x={-12} y={-27} width={24} height={26} />
        <path class="rate-pin" d={PIN_PATH} />
        {count > 1 && (
          <text class="rate-pin-count" y={-14} text-anchor="middle">
            {count}
          </text>
        )}
      </g>
    </a>
  );
}

function Legend({
  rates: { announced, measured },
  hasExcess,
  hasPins,
  hasBands,
}: {
  rates: OfRates;
  hasExcess: boolean;
  hasPins: boolean;
  hasBands: boolean;
}) {
  const rows = [
    {
      is: true,
      text: announced === null ? "MEV" : "Paid",
      mark: <path class="rate-paid" d="M1 7H19" />,
    },
    {
      is: announced !== null,
      text: "Announced",
      mark: <path class="rate-announced" d="M1 7H19" />,
    },
    {
      is: hasExcess,
      text: "Paid above announced",
      mark: <rect class="rate-excess" x={3} y={1} width={14} height={12} />,
    },
    {
      is: measured?.some((rate) => rate !== null) === true,
      text: "Measured",
      mark: <circle class="rate-dot" cx={10} cy={7} r={DOT_PIXELS} />,
    },
    {
      is: hasPins,
      text: "Rug: opens its evidence",
      mark: <path class="rate-pin" d={PIN_PATH} transform="translate(10 16) scale(.75)" />,
    },
    {
      is: hasBands,
      text: "Flips again and again",
      mark: <rect class="rate-band" x={2} y={1} width={16} height={12} />,
    },
  ];
  return (
    <ul class="rate-legend" aria-hidden="true">
      {rows
        .filter(({ is }) => is)
        .map(({ text, mark }) => (
          <li key={text}>
            <svg width={20} height={14}>
              {mark}
            </svg>
            {text}
          </li>
        ))}
    </ul>
  );
}

function toIndex(offset: number, { left, step }: Scale, count: number): number | null {
  const index = Math.floor((offset - left) / step);
  return index >= 0 && index < count ? index : null;
}

function toReadout(point: CommissionPoint | undefined, source: Source): string {
  if (point === undefined) return "";
  const { epoch, commission, appliedCommission, paidCommission, mevCommission } = point;
  if (source === "MEV") return `Epoch ${epoch}: ${toPercent(mevCommission)}`;
  const measured = paidCommission === null ? "" : `, measured ${toPercent(paidCommission)}`;
  return `Epoch ${epoch}: announced ${toPercent(commission)}, paid ${toPercent(appliedCommission)}${measured}`;
}
