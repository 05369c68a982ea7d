import { type ApiTypes, type Operation, operationsFor } from "@plimsoll/http";
import type { FastifyReply } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";
import type { Readiness } from "./readiness.ts";

/** The sources of the health server's responses. */
export interface HealthSources {
  readonly metrics: Metrics;
  /** Whether the process can answer requests, and why not. */
  readonly readiness: () => Promise<Readiness>;
  /** More metrics, in Prometheus' text format. */
  readonly moreFigures?: () => Promise<string>;
  /** More lines of text for `/readyz`. */
  readonly moreLines?: () => Promise<string>;
}

interface HealthTypes extends ApiTypes {
  readonly context: HealthSources & { readonly reply: FastifyReply };
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: never;
  readonly logKind: never;
  readonly members: object;
  /** The reply, which is sent. */
  readonly plainResult: FastifyReply;
  readonly operation: Operation;
}

const operation = operationsFor<HealthTypes>();

/** The operations for operators; they need no token. */
export const healthOperations: readonly Operation[] = [
  operation({
    id: "getHealth",
    method: "GET",
    path: "/healthz",
    summary: "Whether the process lives.",
    success: 200,
    handle: async (_, { reply }) => sendText(reply, 200, "ok\n"),
  }),
  operation({
    id: "getReadiness",
    method: "GET",
    path: "/readyz",
    summary: "Whether the service can work.",
    success: 200,
    async handle(_, { reply, readiness, moreLines }) {
      const { isReady, text } = await readiness();
      const more = isReady ? await moreLines?.().catch(() => "") : undefined;
      return sendText(reply, isReady ? 200 : 503, `${text}${more ?? ""}`);
    },
  }),
  operation({
    id: "getMetrics",
    method: "GET",
    path: "/metrics",
    summary: "How the service works, in Prometheus' text format.",
    success: 200,
    async handle(_, { reply, metrics, moreFigures }) {
      // If the additional metrics fail, the others are still sent.
      const text = (await metrics.text()) + ((await moreFigures?.().catch(() => "")) ?? "");
      return reply.header("content-type", metrics.contentType).send(text);
    },
  }),
];

/** Sends plain text. */
export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header("cache-control", "no-store").type("text/plain; charset=utf-8").send(text);
}
