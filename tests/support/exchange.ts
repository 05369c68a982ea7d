import { once } from "node:events";
import { request } from "node:http";

/** A request of a test. A body that is no text is sent as JSON. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer, whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none, or several lines. */
  readonly json: unknown;
}

/** Sends one request over a connection of its own; unlike `fetch` it sends nothing by itself and shows trailers. */
export async function exchange(url: string, asked: Asked = {}): Promise<Answered> {
  const { method = "GET", headers = {}, body, signal } = asked;
  const content = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
  const sent = request(url, { method, headers: { ...length, ...headers }, agent: false, signal });
  sent.end(content);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode,
    headers: response.headers,
    trailers: { ...response.trailers },
    text,
    json:
      /json$/.test(String(response.headers["content-type"])) && !text.includes("\n") && text !== ""
        ? JSON.parse(text)
        : undefined,
  };
}
