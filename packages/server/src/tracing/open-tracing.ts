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

/** How spans are made and sent. */
export interface TracingOptions extends TracingSettings, Omit<OtlpOptions, "signal"> {
  /** Spans that wait to be sent, at most; more are dropped. 2048 where absent. */
  readonly maxWaiting?: number;
  /** How long disposing tries to send what waits. 5000 where absent. */
  readonly flushMs?: number;
}

/** Makes spans. Disposing sends what waits, and gives up after a while. */
export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer;
}

/** Spans of one request to the collector, at most. */
const maxBatch = 512;
/** How long a span waits for others. */
const batchEveryMs = 5_000;
/** Requests of 16 KB for a path alone would make a queue that is too large. */
const maxAttributeLength = 1_024;

/**
 * Makes spans that are sent in batches. What is active (`context`) and how it is told to others (`traceparent`) is set for the
 * whole process, unless its program has set them before, and stays: without spans they do nothing.
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
