import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The last answer repeats. */
export type Answer = number | { status: number; headers?: Record<string, string> } | "hang" | "cut";

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
      const { status, headers: sent = {} } =
        typeof answer === "number" ? { status: answer } : answer;
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
    ids: () => received.map(({ headers }) => headers["webhook-id"]),
    answer: (...next: Answer[]) => void script.splice(0, Infinity, ...next),
    nextRequest: () => new Promise<void>((resolve) => (onRequest = resolve)),
    close,
  };
}

export async function openReceiver(...answers: Answer[]) {
  const receiver = await startReceiver(...answers);
  onTestFinished(receiver.close);
  return receiver;
}
