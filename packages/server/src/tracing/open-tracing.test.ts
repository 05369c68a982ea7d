import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { addressGuard, discardBody, openOutbound } from "@plimsoll/outbound";
import { startTraceCollector, type TraceCollector } from "@plimsoll/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { watchOutage } from "../serve/outages.ts";
import { traceAttempts } from "../serve/start-jobs.ts";
import { openTracing, type TracingOptions } from "./open-tracing.ts";

/** Starts tracing to a collector, with a recorded log. */
async function start(given: Partial<TracingOptions> = {}) {
  const collector = await startTraceCollector();
  onTestFinished(() => collector[Symbol.asyncDispose]());
  const { endpoint } = collector;
  const lines: string[] = [];
  const note = (_: unknown, event?: string) => void lines.push(String(event));
  const outage = watchOutage({ warn: note, info: note } as never, "traces");
  return { collector, lines, tracing: openTracing({ endpoint, headers: {}, sampleRatio: 1, outage, ...given }) };
}

const namesAt = ({ spans }: TraceCollector) => spans.map(({ name }) => name);

describe("openTracing", () => {
  it("sends waiting spans when it is closed, with the configured headers", async () => {
    const { collector, tracing } = await start({ headers: { "x-key": "sesame" } });

    tracing.tracer.startSpan("one").end();
    tracing.tracer.startSpan("two").end();
    await tracing[Symbol.asyncDispose]();

    expect(namesAt(collector)).toEqual(["one", "two"]);
    expect(collector.requests).toEqual([
      {
        path: "/v1/traces",
        headers: expect.objectContaining({ "x-key": "sesame", "content-type": "application/json" }),
      },
    ]);
    expect(collector.requests[0]?.headers).not.toHaveProperty("traceparent");
  });

  it("keeps at most the configured number of spans while the collector is down", async () => {
    const { collector, tracing } = await start({ maxWaiting: 10, flushMs: 50 });
    collector.answer("silent");
    for (let made = 0; made < 10; made++) tracing.tracer.startSpan("under way").end(); // a full batch is sent at once
    await expect.poll(() => collector.requests.length).toBe(1);
    for (let made = 0; made < 100; made++) tracing.tracer.startSpan("waits").end();
    collector.answer(200);

    await tracing[Symbol.asyncDispose]();

    expect(namesAt(collector)).toEqual(Array.from({ length: 10 }, () => "waits"));
  });

  it("gives up at its deadline if the collector does not answer", async () => {
    const { collector, lines, tracing } = await start({ flushMs: 50 });
    collector.answer("silent");
    tracing.tracer.startSpan("lost").end();

    await tracing[Symbol.asyncDispose](); // ends, or the test does not

    expect(collector.requests).toHaveLength(1);
    expect(lines).toEqual(["dependency_failed"]);
  });

  it.each([
    ["refuses", 400],
    ["cannot be reached", undefined],
  ] as const)("logs once that the collector %s", async (_, status) => {
    const unreachable = status === undefined ? { endpoint: "http://127.0.0.1:1/" } : {};
    const { collector, lines, tracing } = await start({ maxWaiting: 1, ...unreachable });
    collector.answer(status ?? 200);

    tracing.tracer.startSpan("lost").end();
    await expect.poll(() => lines).toEqual(["dependency_failed"]);
    tracing.tracer.startSpan("lost").end();
    await tracing[Symbol.asyncDispose]();

    expect(lines).toEqual(["dependency_failed"]);
  });

  it.each([
    [0, []],
    [1, ["root"]],
  ])("sends the share %d of the traces that begin here", async (sampleRatio, names) => {
    const { collector, tracing } = await start({ sampleRatio });

    tracing.tracer.startSpan("root").end();
    await tracing[Symbol.asyncDispose]();

    expect(namesAt(collector)).toEqual(names);
  });
});

describe("traceAttempts", () => {
  const job = { id: "7", kind: "registry.sync-mirror", attempts: 2 };

  it.each([
    [{ result: { kind: "done" } }, {}, undefined],
    [{ result: { kind: "failed" }, error: new TypeError("sesame") }, { code: 2 }, "TypeError"],
    [{ result: { kind: "released" }, error: new Error("the worker stops") }, {}, undefined],
  ] as const)("makes a span of an attempt that ended as %j", async (end, status, errorType) => {
    const { collector, tracing } = await start();

    const ended = await traceAttempts(tracing.tracer)(job, async () => end);
    await tracing[Symbol.asyncDispose]();

    expect(ended).toBe(end);
    expect(collector.spans).toMatchObject([
      {
        name: job.kind,
        attributes: { "plimsoll.job.id": "7", "plimsoll.job.attempt": 2, "plimsoll.job.outcome": end.result.kind },
      },
    ]);
    expect(collector.spans[0]?.status).toMatchObject(status);
    expect(collector.spans[0]?.attributes["error.type"]).toBe(errorType);
    expect(JSON.stringify(collector.spans)).not.toContain("sesame");
  });

  it("is the parent of the attempt's requests to trusted hosts, and of no others", async () => {
    const { collector, tracing } = await start();
    await using other = await startTraceCollector();
    const limits = { connectMs: 5_000, idleMs: 5_000 };
    await using trusted = openOutbound({ policy: "trusted", ...limits });
    await using guarded = openOutbound({ policy: { guard: addressGuard(["127.0.0.1"]) }, ...limits });

    await traceAttempts(tracing.tracer)(job, async () => {
      const request = { method: "POST", body: "{}" } as const;
      await discardBody(await trusted.send({ url: new URL(other.endpoint), ...request }));
      await discardBody(await trusted.fetch(other.endpoint, { ...request, headers: { "x-own": "1" } }));
      await discardBody(await guarded.send({ url: new URL(other.endpoint), ...request }));
      await discardBody(await guarded.fetch(other.endpoint, request));
      return { result: { kind: "done" } };
    });
    await tracing[Symbol.asyncDispose]();

    const [span] = collector.spans;
    const traceparent = `00-${span?.traceId}-${span?.spanId}-01`;
    expect(other.requests.map(({ headers }) => headers.traceparent)).toEqual([
      traceparent,
      traceparent,
      undefined,
      undefined,
    ]);
    expect(other.requests[1]?.headers).toMatchObject({ "x-own": "1" });
    expect(trace.getSpan(context.active())).toBe(trace.getSpan(ROOT_CONTEXT));
  });
});
