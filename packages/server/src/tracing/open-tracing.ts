import { randomUUID } from "node:crypto";
import { context, propagation, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { discardBody, openOutbound, type ProxySettings, retryClock, sendWithRetries } from "@plimsoll/outbound";
import { productVersion } from "../cli/product-version.ts";
import type { TracingSettings } from "../config/tracing-settings.ts";
import type { Outage } from "../serve/outages.ts";

/** Options of {@link openTracing}. */
export interface TracingOptions extends TracingSettings, Omit<OtlpOptions, "signal"> {
  /** The most spans that wait to be sent; more are dropped. 2048 by default. */
  readonly maxWaiting?: number;
  /** How long disposing tries to send waiting spans. 5000 by default. */
  readonly flushMs?: number;
}

/** An opened tracer. Disposing sends the waiting spans, within `flushMs`. */
export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer;
}

/** The most spans in one request to the collector. */
const maxBatch = 512;

/** How often waiting spans are sent. */
const batchEveryMs = 5_000;

/** Bounds the memory of the queue: a path alone can have 16 KB. */
const maxAttributeLength = 1_024;

/**
 * Opens a tracer that sends spans in batches. It sets the context manager and the propagator (`traceparent`) of the whole process, unless
 * the program has set them before. They stay set, but do nothing without spans.
 */
export function openTracing(options: TracingOptions): Tracing {
  const { sampleRatio, maxWaiting = 2_048, flushMs = 5_000, ...sending } = options;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const stopping = new AbortController();
  const exporter = otlpExporter({ ...sending, signal: stopping.signal });
  const limits = { maxQueueSize: maxWaiting, maxExportBatchSize: Math.min(maxBatch, maxWaiting) };
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: maxAttributeLength },
    resource: resourceFromAttributes({
      "service.name": "plimsoll",
      "service.version": productVersion,
      "service.instance.id": randomUUID(),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...limits, scheduledDelayMillis: batchEveryMs })],
  });
  return {
    tracer: provider.getTracer("plimsoll", productVersion),
    async [Symbol.asyncDispose]() {
      const late = setTimeout(() => stopping.abort(new Error("the service stops")), flushMs);
      await provider.shutdown();
      clearTimeout(late);
    },
  };
}

/** Options of {@link otlpExporter}. */
interface OtlpOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy?: ProxySettings | undefined;
  /** Records whether the collector accepts spans. */
  readonly outage: Outage;
  /** Aborts running requests. */
  readonly signal: AbortSignal;
}

const connectMs = 5_000;

/** How long one batch may take, with all attempts. */
const batchMs = 10_000;

const retry = { attempts: 3, firstDelayMs: 500, maxDelayMs: 2_000, maxRetryAfterMs: 5_000, ...retryClock };

/**
 * Sends batches of spans to a collector, as OTLP over HTTP in JSON. A batch that cannot be sent is dropped. The outage is logged once, and
 * delays nothing.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function otlpExporter({ endpoint, headers, proxy, outage, signal }: OtlpOptions): SpanExporter {
  const url = new URL(endpoint);
  const outbound = openOutbound({ policy: "trusted", proxy, connectMs, idleMs: batchMs });
  const sending = new Set<Promise<void>>();
  const send = async (spans: ReadableSpan[]) => {
    const body = JsonTraceSerializer.serializeRequest(spans);
    if (body === undefined) return;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(batchMs)]);
    const own = { "content-type": "application/json", "user-agent": `plimsoll/${productVersion}` };
    const request = { url, method: "POST", headers: own, originHeaders: headers, body, signal: limit } as const;
    const response = await sendWithRetries(() => outbound.send(request), { retry, signal: limit });
    await discardBody(response);
    if (response.status >= 300) throw new Error(`${url.host} answered ${response.status}`);
  };
  return {
    export(spans, done) {
      const since = outage.changes;
      const sent = send(spans)
        .then(
          () => outage.worked(since),
          (error: unknown) => outage.failed(error, since),
        )
        .then(() => {
          sending.delete(sent);
          done({ code: ExportResultCode.SUCCESS }); // a failure is recorded in `outage`
        });
      sending.add(sent);
    },
    async shutdown() {
      await Promise.all(sending);
      await outbound[Symbol.asyncDispose]();
    },
  };
}
