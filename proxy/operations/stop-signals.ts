/** What a signal wants of a process: to begin closing, nothing that is not being done already, or to end at once. */
export type StopWish = "closing" | "closing already" | "ending at once";

/** A Ctrl-C reaches all processes of a terminal, and some shells let npm pass it on a second time. */
const ECHO_MILLISECONDS = 500;

/**
 * Reads the signals of one process, in their order. A Ctrl-C after the first signal ends it at once, unless it is the echo of
 * one. A second SIGTERM says no more than the first: timeout(1), and systemd by default, tell all processes of a group; who has
 * waited long enough sends SIGKILL.
 *
 * @param steadyNow milliseconds that only go up.
 */
export function createStopSignals(steadyNow: () => number): (signal: NodeJS.Signals) => StopWish {
  let isClosing = false;
  let interruptedAt = -Infinity;
  return (signal) => {
    const isInterrupt = signal === "SIGINT";
    const isEcho = isInterrupt && steadyNow() - interruptedAt < ECHO_MILLISECONDS;
    if (isInterrupt && !isEcho) interruptedAt = steadyNow();
    if (!isClosing) {
      isClosing = true;
      return "closing";
    }
    return isInterrupt && !isEcho ? "ending at once" : "closing already";
  };
}
