import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const LOOK_AGAIN_MILLISECONDS = 50;

/** @throws {unknown} the signal's reason */
export async function waitUntilOpen(port: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
  }
}
