import type { NewSession } from "@plimsoll/registry/access/session";
import type { CallContext, Caller } from "@plimsoll/registry/context";
import type { Origin } from "@plimsoll/registry/settings";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";

/** Everything that an operation's handler needs besides its input. */
export interface OperationContext<Kind extends LogKind = never> extends CallContext<Kind> {
  readonly request: OperationRequest;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): void;
  /** Replaces the session of the caller's browser, or ends it. */
  sendSession(session: NewSession | undefined): void;
}

/** The request of the caller, with its headers. */
export interface OperationRequest extends Caller {
  /** The address by which the caller reached the registry. It is used in the response only, never in texts for others. */
  readonly origin: Origin;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
