import type { Reason } from "../shell/ask-password.ts";

interface ApiErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
}

/** An error response of the registry. */
export class ApiError extends Error {
  readonly status: number;
  /** The error code, such as `not_found` or `insufficient_scope`. */
  readonly code: string;
  /** The id of the request in the registry's log. */
  readonly requestId: string | undefined;

  constructor({ status, code, message, requestId }: ApiErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Reads the error from a response. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly title?: string;
    readonly detail?: string;
    readonly error?: string;
  };
  const message = body.detail ?? body.error ?? `${response.status} ${response.statusText}`;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  return new ApiError({ status: response.status, code: body.title ?? String(response.status), message, requestId });
}

/** Whether a change was refused because its subject has changed since it was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** Why an error needs the password; undefined for other errors. */
export function reasonOf(error: unknown): Reason | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "fresh_login_required") return "fresh";
  return error.status === 401 ? "ended" : undefined;
}
