import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "./operation.ts";
import type { RouterOptions } from "./router.ts";
import type { Stage } from "./stage.ts";

/** Answers what was thrown on the way to an answer. */
export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;

/** How the paths of an API are found that Fastify's own router cannot tell apart. */
export interface Routing<Each extends Operation = Operation> extends RouterOptions {
  /** Where the API is; the paths of its operations are what follows. */
  readonly prefix: string;
  /** Whether HEAD is answered by the operation of GET; where false, by operations of its own. */
  readonly headAsGet: boolean;
  /** The refusal of a path that there is not. */
  readonly unknownPath: (request: FastifyRequest) => Error;
  /** The refusal of a method that a path does not have. */
  readonly wrongMethod: (others: readonly Each[]) => Error;
}

/** Reads bodies of one media type as text; others are refused. */
export interface BodyParser {
  readonly mediaType: string;
  readonly parse: (text: string) => unknown;
}

/** Operations that are served together, and how. */
export interface Api<State = unknown, Each extends Operation = Operation> {
  readonly operations: readonly Each[];
  /** What each request goes through, in the order of the phases. */
  readonly stages: readonly Stage<State, Each>[];
  /** What the stages note on, for each request; undefined where absent. */
  readonly begin?: () => State;
  readonly sendError: SendError;
  /** Larger request bodies are refused. */
  readonly maxBodyBytes: number;
  /** In memory before the stages run; or read by a stage; or not even looked at by Fastify. */
  readonly bodies: "buffered" | "streamed" | "raw" | BodyParser;
  /** Answers have `X-Request-Id`, which the log names too. */
  readonly namesRequests?: boolean;
  /** Fastify's router where absent. */
  readonly routing?: Routing<Each>;
}
