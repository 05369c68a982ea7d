import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Metrics } from "../metrics/metrics.ts";
import { hostProblem } from "../serve/host-problem.ts";
import type { Readiness } from "./readiness.ts";

/** What the second listener tells. */
export interface HealthServerOptions {
  readonly metrics: Metrics;
  /** Whether requests had better go elsewhere, and why. */
  readonly readiness: () => Promise<Readiness>;
  /** More figures, in Prometheus' text format. */
  readonly moreFigures?: () => Promise<string>;
  /** What `/readyz` says besides, for people. */
  readonly moreLines?: () => Promise<string>;
}

/**
 * The server for those who run the service, not listening yet: `/healthz` says that the process lives, `/readyz` whether it
 * can work, `/metrics` how it does. No token is needed.
 */
export function createHealthServer({ metrics, readiness, moreFigures, moreLines }: HealthServerOptions): Server {
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    "/healthz": async (response) => sendText(response, 200, "ok\n"),
    "/readyz": async (response) => {
      const { isReady, text } = await readiness();
      const more = isReady ? await moreLines?.().catch(() => "") : undefined;
      sendText(response, isReady ? 200 : 503, `${text}${more ?? ""}`);
    },
    "/metrics": async (response) => {
      response.setHeader("content-type", metrics.contentType);
      // Figures that cannot be had now do not keep back the others.
      response.end((await metrics.text()) + ((await moreFigures?.().catch(() => "")) ?? ""));
    },
  };
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const problem = hostProblem(request);
    if (problem !== undefined) return sendText(response, 400, `${problem}\n`);
    const path = request.url?.split("?")[0] ?? "";
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return sendText(response, 404, `there are ${Object.keys(pages).join(", ")}\n`);
    if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, "expected GET\n");
    page(response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return server.on("clientError", refuseUnreadable);
}

/** Answers 400 to bytes that are no HTTP request, where the client still reads. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const body = "expected a request of HTTP/1.1\n";
  const head = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }).end(text);
}
