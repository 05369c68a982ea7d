import type { FastifyReply, FastifyRequest } from "fastify";
import type { Operation } from "./operation.ts";
import type { RouterOptions } from "./router.ts";
import type { Stage } from "./stage.ts";

/** Sends the response for a thrown value. */
export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;

/** Routing for an API whose paths Fastify's own router cannot distinguish. */
export interface Routing<Each extends Operation = Operation> extends RouterOptions {
  /** The beginning of all paths of the API, which the paths of operations do not contain. */
  readonly prefix: string;
  /** Whether HEAD is answered by the operation of GET; if not, HEAD has its own operations. */
  readonly headAsGet: boolean;
  /** The error for an unknown path. */
  readonly unknownPath: (request: FastifyRequest) => Error;
  /** The error for a method that a path does not have. */
  readonly wrongMethod: (others: readonly Each[]) => Error;
}

/** Reads bodies of one media type as text; other media types are rejected. */
export interface BodyParser {
  readonly mediaType: string;
  readonly parse: (text: string) => unknown;
}

/** Operations that are served together, and the rules for them. */
export interface Api<State = unknown, Each extends Operation = Operation> {
  readonly operations: readonly Each[];
  /** The stages of each request, in the order of the phases. */
  readonly stages: readonly Stage<State, Each>[];
  /** Creates the state of each request for the stages; without it, the state is undefined. */
  readonly begin?: () => State;
  readonly sendError: SendError;
  /** Larger request bodies are rejected. */
  readonly maxBodyBytes: number;
  /** Bodies are in memory before the stages run (`buffered`), are read by a stage (`streamed`), or bypass Fastify (`raw`). */
  readonly bodies: "buffered" | "streamed" | "raw" | BodyParser;
  /** Waits until a buffered body of so many bytes may be processed, so that several long ones do not follow each other. Absent: at once. */
  readonly turnOfBody?: (bytes: number) => Promise<void>;
  /** Whether responses have `X-Request-Id`, which is also in the log. */
  readonly namesRequests?: boolean;
  /** By default, Fastify's router. */
  readonly routing?: Routing<Each>;
  /** Whether the stages or the handler of an operation judge conditions; by default, if it declares `hasVersion`. For others they are refused. */
  readonly judgesConditions?: (operation: Each) => boolean;
}
