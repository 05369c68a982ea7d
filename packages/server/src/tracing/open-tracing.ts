import { randomUUID } from "node:crypto";
import { context, propagation, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { productVersion } from "../cli/product-version.ts";
import type { TracingSettings } from "../config/tracing-settings.ts";
import { type OtlpOptions, otlpExporter } from "./otlp-exporter.ts";

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
