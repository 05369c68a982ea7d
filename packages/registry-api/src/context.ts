import type { CallContext, CallerRequest } from "@plimsoll/registry/context";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";

/** Everything that an operation's handler needs besides its input. */
export interface OperationContext<Kind extends LogKind = never> extends CallContext<Kind> {
  readonly request: OperationRequest;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): void;
}

/** The request of the caller, with its headers. */
export interface OperationRequest extends CallerRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
