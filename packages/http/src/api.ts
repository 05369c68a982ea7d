import type { ErrorTable } from "./errors.ts";
import type { BoundOperation } from "./operation.ts";

/** Operations that are served together, and what they have in common. */
export interface Api {
  readonly operations: readonly BoundOperation[];
  /** The media types of a body by its short name, the preferred one first. Errors are bodies named `error`. */
  readonly mediaTypes: (type: string) => readonly string[];
  readonly errors: ErrorTable;
  /** The trailer of what went wrong while a body was written. */
  readonly errorTrailer: string;
  /** Larger request bodies are refused. */
  readonly maxBodyBytes: number;
  /** Whether a request body must be declared with one of its media types. */
  readonly contentTypes: "checked" | "ignored";
}
