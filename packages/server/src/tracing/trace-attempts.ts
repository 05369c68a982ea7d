import { context, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { AroundAttempt, EndedAttempt } from "@plimsoll/store";

/** Starts a new trace for each attempt of a job, with a span named by the job's kind. It has no payload, which may contain secrets. */
export function traceAttempts(tracer: Tracer): AroundAttempt {
  return async <End extends EndedAttempt>(
    { id, kind, attempts }: Parameters<AroundAttempt>[0],
    run: () => Promise<End>,
  ): Promise<End> => {
    const attributes = { "plimsoll.job.id": id, "plimsoll.job.attempt": attempts };
    const span = tracer.startSpan(kind, { root: true, attributes }, ROOT_CONTEXT);
    try {
      const end = await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
      const { result, error } = end;
      span.setAttribute("plimsoll.job.outcome", result.kind);
      if (result.kind === "failed" || result.kind === "rejected") {
        span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      return end;
    } finally {
      span.end();
    }
  };
}
