import { readApiError } from "./api-error.ts";
import { conditionOf, noteTag } from "./entity-tags.ts";
import type { Given, Operation, Replacing, ResultOf } from "./operation.ts";

/** The header that marks calls of the console: pages of other origins cannot send it. */
const fromConsole = { "x-requested-with": "XMLHttpRequest" };

let csrfToken: string | undefined;

/**
 * Calls an operation with the browser's session.
 * @throws ApiError if the registry answers an error; TypeError if it cannot be reached
 */
export async function call<Each extends Operation>(
  operation: Each,
  given: Given<Each>,
  signal?: AbortSignal,
): Promise<ResultOf<Each>> {
  const [method = "", path = ""] = operation.split(" ");
  const { params, query, body, replaces } = given as Parts & Replacing;
  const address = `/api/v1${fillPath(path, params)}${queryText(query)}`;
  const headers = {
    ...(await sessionHeaders(method)),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...conditionOf(typeof replaces === "function" ? await replaces() : replaces),
  };
  const sent = { body: body === undefined ? undefined : JSON.stringify(body), signal };
  const response = await fetch(address, { method, headers, ...sent });
  csrfToken = response.headers.get("x-next-csrf-token") ?? csrfToken;
  if (!response.ok) throw await readApiError(response);
  const isEmpty = response.status === 204 || response.headers.get("content-length") === "0";
  return isEmpty ? (undefined as ResultOf<Each>) : noteTag((await response.json()) as ResultOf<Each>, response);
}

/** The parts of a request, whatever the operation. */
interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** The headers, besides the cookie, by which the registry knows that a request comes from one of its pages. */
export async function sessionHeaders(method: string): Promise<Readonly<Record<string, string>>> {
  return method === "GET" ? fromConsole : { ...fromConsole, "x-csrf-token": await sessionCsrfToken() };
}

/** The CSRF token, which proves that a change comes from a page of the registry. Fetching it starts a session if there is none. */
async function sessionCsrfToken(): Promise<string> {
  if (csrfToken !== undefined) return csrfToken;
  const response = await fetch("/csrf_token", { headers: fromConsole });
  if (!response.ok) throw await readApiError(response);
  const { csrf_token: token } = (await response.json()) as { readonly csrf_token: string };
  csrfToken = token;
  return token;
}

/**
 * Fetches the CSRF token of the browser's current session, which another tab may have started.
 * @returns whether it differs from the token before
 */
export async function renewCsrfToken(): Promise<boolean> {
  const before = csrfToken;
  csrfToken = undefined;
  return (await sessionCsrfToken()) !== before;
}

/** Fills in the parameters of a path. Slashes are escaped, too: the name of a repository could end like the path of an operation. */
function fillPath(path: string, params: Parts["params"] = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
