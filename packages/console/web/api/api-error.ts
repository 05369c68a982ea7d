interface ApiErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | undefined;
}

/** A refusal or a failure that the registry answered. */
export class ApiError extends Error {
  readonly status: number;
  /** The code: `not_found`, `insufficient_scope`. */
  readonly code: string;
  /** Under which the registry's log has the request. */
  readonly requestId: string | undefined;

  constructor({ status, code, message, requestId }: ApiErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Reads the error of an answer. */
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

/** Whether a change was refused because something else is there than was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
