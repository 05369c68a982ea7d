import type { BrowserContext } from "playwright";

/** Calls the management API with the session of a browser. Fails where the registry does not do what was asked. */
export async function callApi(
  context: BrowserContext,
  address: string,
  [method, path, data]: readonly [method: string, path: string, data?: object],
): Promise<unknown> {
  const headers = { "x-requested-with": "XMLHttpRequest" };
  const given = await context.request.get(`${address}/csrf_token`, { headers });
  const { csrf_token: token } = (await given.json()) as { readonly csrf_token: string };
  const sent = { method, headers: { ...headers, "x-csrf-token": token }, data };
  const answer = await context.request.fetch(`${address}/api/v1${path}`, sent);
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
}
