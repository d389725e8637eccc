import { mock } from "node:test";
import { createMemoryLimiter } from "../../../proxy/limits/memory-limiter.ts";
import { createPrimaryLimiter } from "../../../proxy/limits/process-limiter.ts";

/* A worker of process-limiter.test.ts: makes 100 requests of one client, and tells the one who started it how many it may. */

// No deadline passes, however busy the machine is.
mock.timers.enable({ apis: ["setTimeout"] });
const now = () => performance.now();
const fallback = createMemoryLimiter({ perMinute: 0, now });
const limiter = createPrimaryLimiter({ channel: process, fallback, now });
const allowances = await Promise.all(Array.from({ length: 100 }, async () => limiter.take("one")));
process.send?.({ allowed: allowances.filter(({ allowed }) => allowed).length });
