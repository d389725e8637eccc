import { expect, it } from "vitest";
import { createStopSignals, type StopWish } from "../../../proxy/operations/stop-signals.ts";

type Sent = [atMilliseconds: number, signal: NodeJS.Signals];

it.each<[string, Sent[], StopWish[]]>([
  ["one Ctrl-C begins", [[0, "SIGINT"]], ["closing"]],
  ["one SIGTERM begins", [[0, "SIGTERM"]], ["closing"]],
  [
    "a second Ctrl-C ends at once",
    [
      [0, "SIGINT"],
      [500, "SIGINT"],
    ],
    ["closing", "ending at once"],
  ],
  [
    "the echo of a Ctrl-C says nothing",
    [
      [0, "SIGINT"],
      [499, "SIGINT"],
    ],
    ["closing", "closing already"],
  ],
  [
    "an echo does not put off the next Ctrl-C",
    [
      [0, "SIGINT"],
      [400, "SIGINT"],
      [600, "SIGINT"],
    ],
    ["closing", "closing already", "ending at once"],
  ],
  [
    "a Ctrl-C behind SIGTERM ends at once",
    [
      [0, "SIGTERM"],
      [1, "SIGINT"],
    ],
    ["closing", "ending at once"],
  ],
  [
    "a second SIGTERM says nothing",
    [
      [0, "SIGTERM"],
      [9_000, "SIGTERM"],
    ],
    ["closing", "closing already"],
  ],
  [
    "SIGTERM behind Ctrl-C says nothing",
    [
      [0, "SIGINT"],
      [9_000, "SIGTERM"],
    ],
    ["closing", "closing already"],
  ],
])("%s", (_, sent, wishes) => {
  let now = 0;
  const read = createStopSignals(() => now);
  const found = sent.map(([at, signal]) => {
    now = at;
    return read(signal);
  });
  expect(found).toEqual(wishes);
});
