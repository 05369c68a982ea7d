/**
 * Credentials as docker, podman and skopeo keep them: a JSON file with entries and the names of helper programs.
 *
 *     { "auths":       { KEY: { "auth": base64("user:password"), "username", "password", "identitytoken", "registrytoken" } },
 *       "credHelpers": { KEY: HELPER },
 *       "credsStore":  HELPER }
 *
 * A KEY is a host, a URL of one (`https://index.docker.io/v1/`), or a host with the beginning of a repository name.
 *
 * @see https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 */
import { ScanError } from "@plimsoll/core";
import type { ImageReference } from "@plimsoll/core/image";
import { defaultRegistry, trimEnd } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import type { Credential, CredentialSource } from "./credentials.ts";

/** Asks a helper program for a credential; undefined if it has none for the server. */
export type AskCredentialHelper = (helper: string, server: string) => Promise<Credential | undefined>;

/** The content of a credential file. */
export interface CredentialFile {
  readonly path: string;
  readonly text: string;
}

type JsonObject = Readonly<Record<string, Json>>;

/**
 * The credentials of a docker configuration. The most specific key wins; a helper wins over an entry.
 * @throws ScanError `unauthorized` for a malformed file
 */
export function dockerCredentials(file: CredentialFile, askHelper: AskCredentialHelper): CredentialSource {
  const config = objectOf(parseJson(file));
  const helpers = objectOf(config.credHelpers);
  const entries = objectOf(config.auths);
  return {
    find: async (name) => {
      const helper = findByKey(helpers, name) ?? config.credsStore;
      if (typeof helper === "string" && helper !== "") {
        const found = await askHelper(helper, serverOf(name.registry));
        if (found !== undefined) return found;
      }
      return readEntry(objectOf(findByKey(entries, name)), name.registry, file.path);
    },
  };
}

/** The name of a registry's server in requests to helpers. */
function serverOf(registry: string): string {
  return registry === defaultRegistry ? "https://index.docker.io/v1/" : registry;
}

function findByKey(table: JsonObject, name: Pick<ImageReference, "registry" | "repository">): Json | undefined {
  const byKey = new Map(Object.entries(table).map(([key, value]) => [normalizeKey(key), value]));
  for (let key = `${name.registry}/${name.repository}`; ; key = key.slice(0, key.lastIndexOf("/"))) {
    const found = byKey.get(key);
    if (found !== undefined || !key.includes("/")) return found;
  }
}

function normalizeKey(key: string): string {
  const bare = trimEnd(key.replace(/^https?:\/\//, ""), "/");
  const host = bare.replace(/^(?:index|registry-1)\.docker\.io(?=\/|$)/, defaultRegistry);
  return host.replace(/^([^/]+)\/v[12]$/, "$1");
}

function readEntry(entry: JsonObject, registry: string, path: string): Credential | undefined {
  if (isText(entry.identitytoken)) return { kind: "identity-token", token: entry.identitytoken };
  if (isText(entry.registrytoken)) return { kind: "registry-token", token: entry.registrytoken };
  if (isText(entry.username) && typeof entry.password === "string") {
    return { kind: "basic", username: entry.username, password: entry.password };
  }
  if (!isText(entry.auth)) return undefined;
  const [, username, password] = /^([^:]+):([^\0]*)\0*$/.exec(decodeBase64(entry.auth)) ?? [];
  if (username !== undefined && password !== undefined) return { kind: "basic", username, password };
  const message = `the entry for ${registry} in ${path} is not base64 of name:password; log in again`;
  throw new ScanError("unauthorized", message);
}

function decodeBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}

function parseJson(file: CredentialFile): Json {
  try {
    return JSON.parse(file.text);
  } catch {
    // Without the cause: a syntax error quotes the text, which holds secrets.
    throw new ScanError(
      "unauthorized",
      `expected JSON in the credential file ${file.path}; log in again to rewrite it`,
    );
  }
}

function objectOf(value: Json | undefined): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}
