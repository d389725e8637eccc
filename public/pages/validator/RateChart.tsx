import { useRef, useState } from "preact/hooks";
import type { CommissionEvent, Source } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { toSides } from "../../format/events.ts";
import {
  type Scale,
  toExcessArea,
  toHeight,
  toMiddle,
  toStepArea,
  toStepLine,
} from "../../format/rate-shapes.ts";
import { RateGrid, toGridScale } from "../../parts/RateGrid.tsx";
import { toAddress } from "../../format/url.ts";
import { toCounted, toPercent } from "../../format/values.ts";
import { useUrl } from "../../parts/use-url.ts";
import { useWidth } from "../../parts/use-width.ts";
import { type Band, type Pin, toBands, toLabels, toPins, toTicks } from "./rate-marks.ts";
import { DOT_PIXELS, Legend, type OfRates, PIN_PATH } from "./RateLegend.tsx";
import "../../style/rate-chart.css";

interface RateChartProps {
  points: readonly CommissionPoint[];
  /** Newest first. */
  events: readonly CommissionEvent[];
  source: Source;
}

const HEIGHT = 190;
/** Above the 100 % line are the pins. */
const TOP = 30;

/** Always from 0 to 100 %. Its table stands below; only its pins are for screen readers. */
export function RateChart({ points, events, source }: RateChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [index, setIndex] = useState<number | null>(null);
  const rates = toRates(points, source);
  const scale = toGridScale({ width, height: HEIGHT, top: TOP }, points.length);
  const of = events.filter((event) => event.source === source);
  const first = points[0]?.epoch ?? 0;
  const pins = toPins(of, { first, scale });
  const ticks = toTicks(points, scale.step).map((epoch) => ({
    epoch,
    x: toMiddle(epoch - first, scale),
  }));
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
              <RateGrid scale={scale} width={width} ticks={ticks} />
              <Lines rates={rates} scale={scale} count={points.length} />
              {index !== null && (
                <path
                  class="rate-pointer"
                  d={`M${toMiddle(index, scale)} ${TOP}V${toHeight(0, scale)}`}
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

function Lines({ rates, scale, count }: { rates: OfRates; scale: Scale; count: number }) {
  const { paid, announced, measured } = rates;
  const right = scale.left + count * scale.step;
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
        <text key={text} class="rate-label" x={right - 4} y={y} text-anchor="end">
          {text}
        </text>
      ))}
    </>
  );
}

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
