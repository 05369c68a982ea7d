import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

/** A body with the media type of the contract. */
export interface ContractBody {
  /** The name in the media type: `index_report`. */
  readonly type: string;
  /** Members that it does not have are refused. */
  readonly schema: TSchema;
}

/** The response to a request. Without `body` it has none. */
export interface StrictAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A request that has everything that the contract says, and nothing else. */
export interface StrictRequest {
  /** The last part of the path. */
  readonly last: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** An operation of the contract. */
export interface StrictOperation {
  readonly method: string;
  /** Its last part is any text if it is `*`. */
  readonly path: string;
  /** The names of required query parameters, and of optional ones with a `?` at their end. */
  readonly query?: readonly string[];
  readonly request?: ContractBody;
  /** The name in the media type of the response; absent if it has no body. */
  readonly response?: string;
  answer(request: StrictRequest): StrictAnswer | Promise<StrictAnswer>;
}

/** A service that keeps the contract of the scanner API to the letter, and has nothing more. */
export interface StrictService extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  /** Why requests were refused: `POST /path: 415 Content-Type text/plain`. */
  readonly refused: readonly string[];
}

/** The vendor segment of the media types, as the contract writes it. */
const vendor = "scanner";

/** The media type of a document of the contract. */
export function contractType(type: string): string {
  return `application/vnd.${vendor}.${type}.v1+json`;
}

/** Starts a service with some operations of the contract. */
export async function startStrictService(operations: readonly StrictOperation[]): Promise<StrictService> {
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void respond(operations, request).then((answer) => {
      const { status, body } = answer;
      if (status >= 400) refused.push(`${request.method} ${request.url}: ${status} ${messageOf(body)}`);
      send(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface TypedAnswer extends StrictAnswer {
  readonly type?: string;
}

async function respond(operations: readonly StrictOperation[], request: IncomingMessage): Promise<TypedAnswer> {
  const url = new URL(request.url ?? "", "http://localhost");
  const operation = operations.find(({ method, path }) => method === request.method && matches(path, url.pathname));
  if (operation === undefined) return refusal(404, "no such operation");
  const bytes: Buffer[] = [];
  for await (const chunk of request) bytes.push(chunk as Buffer);
  const refused = refusalOf(operation, request, url) ?? refusedBody(operation, request, Buffer.concat(bytes));
  if (refused !== undefined) return refused;
  const body = operation.request && JSON.parse(Buffer.concat(bytes).toString());
  const last = decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
  const answer = await operation.answer({ last, query: url.searchParams, body });
  if (answer.status >= 400) return { type: "error", ...answer };
  return { ...answer, type: operation.response };
}

function matches(path: string, asked: string): boolean {
  return path.endsWith("/*") ? asked.slice(0, asked.lastIndexOf("/")) === path.slice(0, -2) : path === asked;
}

function refusalOf(operation: StrictOperation, request: IncomingMessage, url: URL): TypedAnswer | undefined {
  const { query = [], response } = operation;
  const names = query.map((name) => name.replace("?", ""));
  const extra = [...url.searchParams.keys()].find((name) => !names.includes(name));
  if (extra !== undefined) return refusal(400, `query: ${extra} is not in the contract`);
  const missing = query.find((name) => !name.endsWith("?") && !url.searchParams.has(name));
  if (missing !== undefined) return refusal(400, `query: ${missing} is missing`);
  const { accept = "*/*" } = request.headers;
  if (response === undefined || accepts(accept, contractType(response))) return undefined;
  return refusal(415, `Accept ${accept}`);
}

function accepts(accept: string, type: string): boolean {
  const ranges = accept.split(",").map((range) => range.split(";")[0]?.trim());
  return [type, "application/*", "*/*"].some((range) => ranges.includes(range));
}

function refusedBody(operation: StrictOperation, request: IncomingMessage, bytes: Uint8Array): TypedAnswer | undefined {
  const expected = operation.request;
  if (expected === undefined) return bytes.length === 0 ? undefined : refusal(400, "a body is not in the contract");
  const found = request.headers["content-type"]?.split(";")[0]?.trim();
  if (found !== contractType(expected.type)) return refusal(415, `Content-Type ${found}`);
  const [error] = Value.Errors(expected.schema, JSON.parse(Buffer.from(bytes).toString()));
  return error && refusal(400, `body${error.instancePath}: ${error.message}`);
}

/** An error of the contract. Its `code` is optional. */
export function refusal(status: number, message: string): TypedAnswer {
  return { status, type: "error", body: { message } };
}

function messageOf(body: unknown): string {
  return (body as { readonly message?: string } | undefined)?.message ?? "";
}

function send(response: ServerResponse, { status, type, body, headers = {} }: TypedAnswer): void {
  response.writeHead(status, { ...headers, ...(type !== undefined && { "content-type": contractType(type) }) });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
