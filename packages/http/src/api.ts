import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "./operation.ts";
import type { Stage } from "./stage.ts";

/** Answers what was thrown on the way to an answer. */
export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Operations that are served together, and how. */
export interface Api<State = unknown> {
  readonly operations: readonly Operation[];
  /** What each request goes through, in the order of the phases. */
  readonly stages: readonly Stage<State>[];
  /** What the stages note on, for each request; undefined where absent. */
  readonly begin?: () => State;
  readonly sendError: SendError;
  /** Larger request bodies are refused. */
  readonly maxBodyBytes: number;
  /** Bodies are in memory before the stages run; or else a stage reads them. */
  readonly bodies: "buffered" | "streamed";
}
