import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SEVERITIES, type Severity } from "../../../generator/contract/event.ts";
import { deliver } from "../../../generator/service/alerts/delivery.ts";
import { createOutbox, type OutboxOptions } from "../../../generator/service/alerts/outbox.ts";
import { createAlertDispatcher } from "../../../generator/service/alerts/public-hosts.ts";
import { toRequest } from "../../../generator/service/alerts/shapes.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import {
  createPublisher,
  DAY,
  eventOf,
  HOUR,
  MINUTE,
  NOW,
  SECRET,
  targetOf,
  type Events,
} from "./events.ts";
import { openReceiver, type Answer } from "./receiver.ts";

const [A, B, C] = ["a", "b", "c"].map((id, place) => ({ [id]: { at: NOW + place } }));
/** No test waits for it to pass. */
const PATIENCE_MILLISECONDS = 60_000;
const KEY = "alerts/mainnet/ops.json.zst";

interface Start {
  store?: ObjectStore;
  path?: string;
  severities?: Severity[];
}

async function prepare(...answers: Answer[]) {
  const receiver = await openReceiver(...answers);
  const stateStore = openMemoryStore();
  const dispatcher = createAlertDispatcher({ privateHosts: true });
  onTestFinished(() => dispatcher.destroy());
  const lines: string[] = [];
  const queues: Parameters<NonNullable<OutboxOptions["onQueue"]>>[0][] = [];
  const publish = createPublisher();
  let now = NOW;
  const start = (
    holder: string,
    { store = stateStore, path = "/hook/hunter2", severities = [...SEVERITIES] }: Start = {},
  ) => {
    const target = targetOf("standard", { url: new URL(path, receiver.url).href, severities });
    const stopping = new AbortController();
    const { signal } = stopping;
    const options = { dispatcher, signal, milliseconds: PATIENCE_MILLISECONDS };
    const outbox = createOutbox({
      ...{ stateStore: store, network: "mainnet", target, series: 1, startedAt: now, holder },
      now: () => now,
      random: () => 1,
      send: (message) =>
        deliver(
          target,
          toRequest(target, message, { network: "mainnet", siteUrl: "https://r.example", now }),
          options,
        ),
      say: (line) => void lines.push(line),
      warn: (line) => void lines.push(line),
      onQueue: (queue) => void queues.push(queue),
    });
    return {
      stop: () => stopping.abort(new Error("stopped")),
      work(events: Events) {
        outbox.update(publish(events, { at: now }));
        return outbox.work(signal);
      },
    };
  };
  return {
    receiver,
    stateStore,
    lines,
    queues,
    start,
    pass: (milliseconds: number) => void (now += milliseconds),
  };
}

/** The next time-out ends as soon as the target was asked, however slow this machine is. */
function endTimeAfter(asked: Promise<void>): void {
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
  onTestFinished(() => timeout.mockRestore());
  void asked.then(() => late.abort());
}

/** Dies with each write of the record from one on, before or after it took effect. */
function mortal(
  store: ObjectStore,
  { from, isLost }: { from: number; isLost: boolean },
): ObjectStore {
  let writes = 0;
  return {
    ...store,
    async put(key, body, options) {
      const dies = key === KEY && ++writes >= from;
      const put = dies && isLost ? null : await store.put(key, body, options);
      if (dies) throw new Error("the process died");
      return put;
    },
  };
}

it("delivers in order, each once, signed so that who has the secret can verify it", async () => {
  const { receiver, start, lines } = await prepare();
  const process = start("one");
  await process.work({ ...A, ...B });
  await process.work({ ...A, ...B, ...C });
  expect(receiver.ids()).toEqual(["a.changed", "b.changed", "c.changed"]);
  // The receivers' library: checks id, time (within five minutes) and body.
  const webhook = new Webhook(SECRET);
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  for (const { headers, body } of receiver.received) {
    const sent = headers as Record<string, string>;
    expect(webhook.verify(body, sent)).toMatchObject({ type: "commission.changed" });
    expect(() => webhook.verify(`${body} `, sent)).toThrow(WebhookVerificationError);
  }
  expect(lines).toEqual(["a", "b", "c"].map((id) => `alerts for ops: delivered ${id}.changed`));
});

const toBusy = (seconds: string): Answer => ({ status: 429, headers: { "retry-after": seconds } });
const toRedirect = (location: string): Answer => ({ status: 307, headers: { location } });

describe("a target that", () => {
  const wrong = ": check its url in ALERT_WEBHOOKS; it is tried again";
  it.each<[string, Answer, string, milliseconds?: number]>([
    ["fails", 500, "HTTP status 500; it is tried again"],
    ["hangs", "hang", "no answer in time; it is tried again"],
    ["breaks off", "cut", "UND_ERR_SOCKET; it is tried again"],
    ["asks for time", toBusy("7200"), "HTTP status 429; it is tried again", 2 * HOUR],
    [
      "redirects",
      toRedirect("/elsewhere"),
      `HTTP status 307, and redirects are not followed${wrong}`,
    ],
    ...[401, 403, 404, 405, 410].map((status): [string, Answer, string] => {
      return [`says ${status}`, status, `HTTP status ${status}${wrong}`];
    }),
    ...[400, 413, 422].map((status): [string, Answer, string] => {
      return [`says ${status}`, status, `HTTP status ${status}; it is tried again`];
    }),
  ])(
    "%s is tried again later, in order; the reason holds no token",
    async (_, answer, line, wait = 5_000) => {
      const { receiver, start, pass, lines } = await prepare(answer);
      if (answer === "hang") endTimeAfter(receiver.nextRequest());
      await start("one").work({ ...A, ...B });
      const process = start("one");
      pass(wait - 1);
      await process.work({ ...A, ...B });
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook/hunter2"]);
      expect(lines).toEqual([`alerts for ops: ${line}`]);
      pass(1);
      receiver.answer(204);
      await process.work({ ...A, ...B });
      expect(receiver.ids()).toEqual(["a.changed", "a.changed", "b.changed"]);
      expect(JSON.stringify(lines)).not.toContain("hunter2");
    },
  );

  it("fails warns once in ten minutes, whatever the reasons, and says since when messages wait", async () => {
    const { receiver, start, pass, lines, queues } = await prepare(503);
    const process = start("one");
    for (let minutes = 0; minutes < 30; minutes += 1) {
      receiver.answer(minutes % 2 === 0 ? 503 : 502);
      await process.work({ ...A });
      pass(MINUTE);
    }
    expect(receiver.received.length).toBeGreaterThan(lines.length);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      `; it is tried again; 1 message waiting since ${new Date(NOW).toISOString()}`,
    );
    expect(queues.at(-1)).toEqual({ target: "ops", waiting: 1, oldestAt: NOW });
    receiver.answer(204);
    pass(HOUR);
    await process.work({ ...A });
    expect(queues.at(-1)).toEqual({ target: "ops", waiting: 0, oldestAt: null });
  });

  it("is away for a day gets no old message, which a line reports, and gets what came since", async () => {
    const { receiver, start, pass, lines } = await prepare(503);
    const process = start("one");
    await process.work({ ...A });
    pass(DAY);
    await process.work({ ...A, ...B });
    expect(lines.at(-1)).toBe("alerts for ops: gave up a.changed: HTTP status 503");
    receiver.answer(204);
    receiver.received.length = 0;
    pass(HOUR);
    await process.work({ ...A, ...B });
    expect(receiver.ids()).toEqual(["b.changed"]);
  });

  it("gets another address is tried at once", async () => {
    const { receiver, start } = await prepare(404);
    for (let tries = 0; tries < 2; tries += 1) await start("one").work({ ...A });
    expect(receiver.received).toHaveLength(1);
    receiver.received.length = 0;
    receiver.answer(204);
    await start("two", { path: "/other" }).work({ ...A });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/other"]);
  });
});

describe("a process that dies", () => {
  // Writes of the record: 1 empty, 2 the queue, 3 after «a», 4 after «b».
  it.each<[string, number, boolean, string[]]>([
    ["before the queue was written", 2, true, ["a", "b"]],
    ["when the queue was just written", 2, false, ["a", "b"]],
    ["between delivery and bookkeeping", 3, true, ["a", "a", "b"]],
    ["after bookkeeping", 3, false, ["a", "b"]],
    ["between the second delivery and bookkeeping", 4, true, ["a", "b", "b"]],
  ])("%s loses nothing, and keeps the order", async (_, from, isLost, expected) => {
    const { receiver, stateStore, start, pass } = await prepare();
    const dying = start("one", { store: mortal(stateStore, { from, isLost }) });
    await expect(dying.work({ ...A, ...B })).rejects.toThrow("the process died");
    pass(3 * MINUTE);
    await start("two").work({ ...A, ...B });
    expect(receiver.ids()).toEqual(expected.map((id) => `${id}.changed`));
  });

  it("after it delivered what is then taken back, takes it back", async () => {
    const { receiver, stateStore, start, pass } = await prepare();
    await expect(
      start("one", { store: mortal(stateStore, { from: 3, isLost: true }) }).work({ ...A }),
    ).rejects.toThrow();
    pass(3 * MINUTE);
    await start("two").work({});
    expect(receiver.ids()).toEqual(["a.changed", "a.withdrawn"]);
  });

  it("while it waits for an answer is stopped at once, and the next one delivers", async () => {
    const { receiver, start, pass } = await prepare("hang");
    const stopped = start("one");
    const asked = receiver.nextRequest();
    const work = stopped.work({ ...A });
    await asked;
    stopped.stop();
    await expect(work).rejects.toThrow("stopped");
    receiver.answer(204);
    pass(3 * MINUTE);
    await start("two").work({ ...A });
    expect(receiver.ids()).toEqual(["a.changed", "a.changed"]);
  });
});

it("two processes deliver each message once between them", async () => {
  const { receiver, start, pass } = await prepare();
  const [one, two] = [start("one"), start("two")];
  await Promise.all([one.work({}), two.work({})]);
  await Promise.all([one.work({ ...A, ...B }), two.work({ ...A, ...B })]);
  pass(MINUTE);
  await two.work({ ...A, ...B, ...C });
  await one.work({ ...A, ...B, ...C });
  expect(receiver.ids()).toEqual(["a.changed", "b.changed", "c.changed"]);
});

it("a record that is damaged is set aside, and the last day is sent again", async () => {
  const { receiver, stateStore, start, pass, lines } = await prepare();
  await start("one").work({ ...A });
  await stateStore.put(KEY, Buffer.from("no record"), {
    expect: "any",
    contentType: "application/zstd",
  });
  pass(HOUR);
  await start("two").work({ ...A });
  expect(receiver.ids()).toEqual(["a.changed", "a.changed"]);
  expect(lines).toContain(
    "alerts for ops: the outbox was damaged: the last 24 hours are sent again",
  );
  expect(await Array.fromAsync(stateStore.list("quarantine/"))).toHaveLength(1);
});

it("a record that is damaged under a process of days sends the last day again, not all of them", async () => {
  const { receiver, stateStore, start, pass } = await prepare();
  const process = start("one");
  await process.work({ ...A });
  pass(3 * DAY);
  await stateStore.put(KEY, Buffer.from("no record"), {
    expect: "any",
    contentType: "application/zstd",
  });
  await process.work({ ...A, late: { at: NOW + 3 * DAY } });
  expect(receiver.ids()).toEqual(["a.changed", "late.changed"]);
});

it("a failure while the clock was far ahead keeps nobody waiting once it is set right", async () => {
  const { receiver, start, pass } = await prepare("cut");
  const process = start("one");
  pass(30 * DAY);
  await process.work({ ...A, late: { at: NOW + 30 * DAY } });
  pass(-30 * DAY);
  receiver.answer(204);
  await process.work({ ...A, late: { at: NOW + 30 * DAY } });
  expect(receiver.ids()).toEqual(["a.changed", "a.changed", "late.changed"]);
});

it("who wants more is sent what is published from then on", async () => {
  const { receiver, start } = await prepare();
  const INFO = { b: { at: NOW + 1, event: eventOf("b", { severity: "INFO" }) } };
  await start("one", { severities: ["RUG"] }).work({ ...A, ...INFO });
  const later = start("two");
  await later.work({ ...A, ...INFO });
  await later.work({ ...A, ...INFO, ...C });
  expect(receiver.ids()).toEqual(["a.changed", "c.changed"]);
});

it("costs nothing while nothing happens", async () => {
  const { stateStore, start } = await prepare();
  const process = start("one");
  await process.work({ ...A });
  const refuse = () => Promise.reject(new Error("nothing is to be asked of the store"));
  Object.assign(stateStore, { get: refuse, put: refuse });
  await expect(process.work({ ...A })).resolves.toBeUndefined();
});
