import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** How a collector answers; `silent` never does. */
export type CollectorAnswer = number | "silent";

/** An OTLP collector on the loopback interface. */
export interface TraceCollector extends AsyncDisposable {
  /** The URL that accepts spans. */
  readonly endpoint: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** In order of arrival. */
  readonly spans: readonly ReceivedSpan[];
  /** Sets the answer from now on; at first it is 200. */
  answer(how: CollectorAnswer): void;
}

interface OtlpSpan extends Omit<ReceivedSpan, "attributes"> {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface OtlpRequest {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
}

/** Starts a collector that accepts OTLP over HTTP in JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const spans: ReceivedSpan[] = [];
  let how: CollectorAnswer = 200;
  const server = createServer((request, response: ServerResponse) => {
    const answered = how;
    json(request).then(
      (body) => {
        requests.push({ path: request.url ?? "", headers: request.headers });
        if (answered === "silent") return;
        if (answered === 200) spans.push(...spansOf(body as OtlpRequest));
        response.writeHead(answered, { "content-type": "application/json" }).end("{}");
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    requests,
    spans,
    answer(next) {
      how = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans = [] }: OtlpRequest): readonly ReceivedSpan[] {
  const all = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans);
  return all.map(({ attributes, ...span }) => ({ ...span, attributes: valuesOf(attributes) }));
}

function valuesOf(attributes: OtlpSpan["attributes"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
