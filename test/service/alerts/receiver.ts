import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How to answer requests; the last answer repeats. */
export type Answer = number | { status: number; headers?: Record<string, string> } | "hang" | "cut";

/** A real server that takes webhooks, and misbehaves when told to. */
export async function startReceiver(...answers: Answer[]) {
  const received: Received[] = [];
  const script = [...answers];
  let onRequest = (): void => undefined;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      received.push({ path, headers, body: Buffer.concat(chunks).toString() });
      const answer = (script.length > 1 ? script.shift() : script[0]) ?? 204;
      onRequest();
      if (answer === "hang") return;
      if (answer === "cut") return void request.socket.destroy();
      const { status, headers: sent = {} } = typeof answer === "number" ? { status: answer } : answer;
      response.sendDate = false;
      response.writeHead(status, sent).end("thank you");
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook/hunter2`,
    received,
    /** Received ids, in order. */
    ids: () => received.map(({ headers }) => headers["webhook-id"]),
    /** Sets the answers from now on. */
    answer: (...next: Answer[]) => void script.splice(0, Infinity, ...next),
    /** Resolves with the next request. */
    nextRequest: () => new Promise<void>((resolve) => (onRequest = resolve)),
    close,
  };
}

/** A receiver for one test. */
export async function openReceiver(...answers: Answer[]) {
  const receiver = await startReceiver(...answers);
  onTestFinished(receiver.close);
  return receiver;
}
