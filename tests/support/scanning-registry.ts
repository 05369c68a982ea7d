/** A registry that scans what it holds, in this process, with its first user. */
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryServiceSettings } from "@plimsoll/server";
import { startServing } from "@plimsoll/server/serve";
import { pino } from "pino";
import { testSettings } from "./scanner-service.ts";

/** The credentials of the user whom {@link signUp} makes, for clients of the registry. */
export const basic = `Basic ${Buffer.from("alice:sesame-open").toString("base64")}`;

/** Starts a registry with its scanner on a database, whose blobs and key are in a folder. @param given how it sends mail */
export async function startScanningRegistry(
  database: string,
  folder: string,
  given: Pick<RegistryServiceSettings, "mail"> = {},
) {
  const { host: _, ...defaults } = defaultRegistrySettings;
  const settings = { ...defaults, allowedInternalHosts: ["127.0.0.1"] };
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const registry = { settings, secretFile: `${folder}/secret`, storage, ...given };
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  return startServing({ ...testSettings, database, registry, registryPollSeconds: 1 }, parts);
}

/** Signs up the first user. @returns calls of the management API in her name */
export async function signUp(address: string) {
  const send = async (
    method: string,
    path: string,
    { body, token }: { readonly body?: object | undefined; readonly token?: string | undefined } = {},
  ) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const sent = body && { body: JSON.stringify(body) };
    const answer = await fetch(`${address}/api/v1${path}`, { method, headers, ...sent });
    return { status: answer.status, body: JSON.parse((await answer.text()) || "{}") };
  };
  const first = { username: "alice", password: "sesame-open", email: "alice@example.com", access_token: true };
  const { body } = await send("POST", "/user/initialize", { body: first });
  return (method: string, path: string, sent?: object) => send(method, path, { body: sent, token: body.access_token });
}
