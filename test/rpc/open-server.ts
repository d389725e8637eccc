import { onTestFinished } from "vitest";
import { startOrigin, startServer, type TestServer } from "./rpc-server.ts";

/** Closed when the test is over. */
export async function openServer(...answer: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...answer);
  onTestFinished(() => server.close());
  return server;
}

/** The same, of one or several nodes at one origin. */
export async function openNode(...nodes: Parameters<typeof startOrigin>[0]): Promise<TestServer> {
  const server = await startOrigin(nodes);
  onTestFinished(() => server.close());
  return server;
}
