/** Percent by epoch, oldest first; null: not known, which leaves a gap. */
export type Rates = readonly (number | null)[];

/** Where a drawing puts epochs and rates, always from 0 to 100 %, so that any two compare. */
export interface Scale {
  /** Of the first epoch. */
  left: number;
  /** Width of an epoch. */
  step: number;
  /** Of 100 %. */
  top: number;
  /** From 0 to 100 %. */
  height: number;
}

/** The height of a rate in a drawing. */
export function toHeight(percent: number, { top, height }: Scale): number {
  return round(top + height * (1 - percent / 100));
}

/** The middle of an epoch, by its index. */
export function toMiddle(index: number, { left, step }: Scale): number {
  return round(left + (index + 0.5) * step);
}

/** A line that steps between epochs. */
export function toStepLine(rates: Rates, scale: Scale): string {
  return rates
    .map((rate, index) => {
      if (rate === null) return "";
      const isFirst = index === 0 || rates[index - 1] === null;
      const height = toHeight(rate, scale);
      const [from, to] = toEdges(index, scale);
      return `${isFirst ? `M${from} ${height}` : `V${height}`}H${to}`;
    })
    .join("");
}

/** What lies below {@link toStepLine}, down to 0 %. */
export function toStepArea(rates: Rates, scale: Scale): string {
  return toBars(rates, (rate) => [0, rate], scale);
}

/** Where rewards paid more than was announced: from the one to the other. */
export function toExcessArea(paid: Rates, announced: Rates, scale: Scale): string {
  return toBars(
    paid,
    (rate, index) => {
      const open = announced[index] ?? null;
      return open === null || rate <= open ? null : [open, rate];
    },
    scale,
  );
}

function toBars(
  rates: Rates,
  toSpan: (rate: number, index: number) => [from: number, to: number] | null,
  scale: Scale,
): string {
  return rates
    .map((rate, index) => {
      const span = rate === null ? null : toSpan(rate, index);
      if (span === null) return "";
      const [left, right] = toEdges(index, scale);
      const [low, high] = span.map((percent) => toHeight(percent, scale));
      return `M${left} ${low}V${high}H${right}V${low}Z`;
    })
    .join("");
}

function toEdges(index: number, { left, step }: Scale): [left: number, right: number] {
  return [round(left + index * step), round(left + (index + 1) * step)];
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
