import type { Rates } from "../../format/rate-shapes.ts";

/** The rates that a drawing of one source shows. */
export interface OfRates {
  paid: Rates;
  /** null: only one rate is known of this source. */
  announced: Rates | null;
  measured: Rates | null;
}

/** Of a dot, at most. */
export const DOT_PIXELS = 3;

/** The point of the pin stands on the 100 % line; the target is 24 pixels wide. */
export const PIN_PATH = "M0 -4 L-6 -14 A7 7 0 1 1 6 -14 Z";

/** What the drawing's lines and marks mean, of those that it has. */
export function Legend({
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
