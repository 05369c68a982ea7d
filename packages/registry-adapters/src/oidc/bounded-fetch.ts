import { type FetchResponse, readBody } from "@plimsoll/outbound";

/** Sends a request to another host. It has the form of the platform's `fetch`. */
export type Ask = (url: string, init?: RequestInit) => Promise<FetchResponse>;

/** The options that libraries pass to `fetch`. */
export interface FetchOptions {
  readonly method?: string | undefined;
  readonly headers?: RequestInit["headers"] | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** Limits of one response. */
export interface AnswerBounds {
  readonly maxBytes: number;
  readonly patienceMs: number;
}

/** A `fetch` that reads the whole body before it resolves, with limits of time and size, and does not follow redirects. */
export function boundedFetch(ask: Ask, { maxBytes, patienceMs }: AnswerBounds) {
  return async (url: string | URL, init: FetchOptions = {}): Promise<Response> => {
    const given = init.signal ?? undefined;
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(given === undefined ? [] : [given])]);
    const { method = "GET", headers, body } = init;
    const response = await ask(String(url), {
      method,
      headers: [...new Headers(headers)],
      body: body !== undefined && body !== null ? String(body) : undefined,
      redirect: "manual",
      signal,
    });
    const bytes = await readAll(response, { maxBytes, patienceMs });
    const isEmpty = [101, 204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : bytes, { status: response.status, headers: [...response.headers] });
  };
}

async function readAll(
  { body, url }: FetchResponse,
  { maxBytes, patienceMs }: AnswerBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new RangeError(`${url}: the response has more than ${maxBytes} bytes`);
  return body === null ? new Uint8Array() : readBody(body, { maxBytes, tooLarge, withinMs: patienceMs });
}
