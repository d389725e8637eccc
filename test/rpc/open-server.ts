import { onTestFinished } from "vitest";
import { startServer, type TestServer } from "./rpc-server.ts";

/** Closed when the test is over. */
export async function openServer(...answer: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...answer);
  onTestFinished(() => server.close());
  return server;
}
