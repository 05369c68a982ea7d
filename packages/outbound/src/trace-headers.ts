import { context, propagation } from "@opentelemetry/api";

/**
 * The headers that make a request part of the active trace; none without an active span.
 * @see https://www.w3.org/TR/trace-context/
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
