import { join } from "node:path";
import { ServiceProcess, type SettingTexts } from "./service-process.ts";

/** The first user of a {@link RegistryProcess}, who may all. */
export const firstUser = { username: "alice", password: "correct-horse" } as const;

/** A registry in a process of its own, with its first user. */
export interface RegistryProcess extends AsyncDisposable {
  readonly process: ServiceProcess;
  /** `HOST:PORT`, as clients name it. */
  readonly host: string;
  /** An OAuth token of the first user with every scope. */
  readonly token: string;
  /** Calls the management API as the first user. @returns the body @throws Error for a status that is no success */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Starts a registry that keeps everything in a folder, unless the settings say otherwise, and makes its first user. */
export async function startRegistry(folder: string, settings: SettingTexts = {}): Promise<RegistryProcess> {
  await using resources = new AsyncDisposableStack();
  const data = join(folder, "data");
  const process = resources.use(await ServiceProcess.start({ data, offline: "1", ...settings }));
  await process.listening();
  const body = { ...firstUser, email: "alice@example.com", access_token: true };
  const { access_token: token } = (await callApi(process.url, { method: "POST", path: "/user/initialize", body })) as {
    readonly access_token: string;
  };
  const owned = resources.move();
  return {
    process,
    host: new URL(process.url).host,
    token,
    call: (method, path, body) => callApi(process.url, { method, path, body, token }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token?: string;
}

async function callApi(url: string, { method, path, body, token }: Call): Promise<unknown> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...content });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
