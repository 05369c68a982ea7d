import { ExportResultCode } from "@opentelemetry/core";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { discardBody, openOutbound, type ProxySettings, retryClock, sendWithRetries } from "@plimsoll/outbound";
import { productVersion } from "../cli/product-version.ts";
import type { Outage } from "../serve/outages.ts";

/** Options of {@link otlpExporter}. */
export interface OtlpOptions {
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
