import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { hasCode } from "@plimsoll/store";
import type { EngineAddress } from "./engine-address.ts";
import { parseEngineHost } from "./parse-engine-host.ts";
import { readEngineTls } from "./read-engine-tls.ts";

const maxFileBytes = 1024 * 1024;

/**
 * The engine of the context that the docker command uses; undefined for the context `default`, which is a socket of this machine.
 *
 *     FOLDER/config.json                          { "currentContext": NAME }
 *     FOLDER/contexts/meta/SHA256(NAME)/meta.json { "Endpoints": { "docker": { "Host", "SkipTLSVerify" } } }
 *     FOLDER/contexts/tls/SHA256(NAME)/docker/    ca.pem, cert.pem, key.pem
 * @param folder docker's folder, usually `~/.docker`
 * @param named the value of `DOCKER_CONTEXT`
 * @throws ScanError `unsupported_source` for a missing context or an unsupported kind of host
 * @see https://docs.docker.com/engine/manage-resources/contexts/
 */
export async function findDockerContext(folder: string, named: string | undefined): Promise<EngineAddress | undefined> {
  const name = named || textAt(await readJson(join(folder, "config.json")), "currentContext") || "default";
  if (name === "default") return undefined;
  const id = createHash("sha256").update(name).digest("hex");
  const meta = await readJson(join(folder, "contexts/meta", id, "meta.json"));
  const endpoint = memberAt(memberAt(meta, "Endpoints"), "docker");
  const host = textAt(endpoint, "Host");
  if (host === undefined) throw new ScanError("unsupported_source", `docker has no context "${name}" with an engine`);
  const tlsFolder = join(folder, "contexts/tls", id, "docker");
  const hasTls = await stat(tlsFolder).then(
    () => true,
    () => false,
  );
  const trust = memberAt(endpoint, "SkipTLSVerify") === true ? "unverified" : "verified";
  return parseEngineHost(
    host,
    `docker's context "${name}"`,
    hasTls ? await readEngineTls(tlsFolder, trust) : undefined,
  );
}

/** Undefined if the file does not exist. */
async function readJson(path: string): Promise<Json | undefined> {
  try {
    if ((await stat(path)).size > maxFileBytes) throw new Error(`more than ${maxFileBytes} bytes`);
    return JSON.parse(await readFile(path, "utf8")) as Json;
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    throw new ScanError("unsupported_source", `docker's configuration: ${fileProblem(path, "read", cause)}`, { cause });
  }
}

function memberAt(json: Json | undefined, name: string): Json | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  return Object.hasOwn(json, name) ? (json as Readonly<Record<string, Json>>)[name] : undefined;
}

function textAt(json: Json | undefined, name: string): string | undefined {
  const value = memberAt(json, name);
  return typeof value === "string" ? value : undefined;
}
