import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { hasCode } from "@plimsoll/store";
import type { HostEnvironment } from "../registry/host-environment.ts";
import {
  type EngineAddress,
  type EngineHosts,
  type EngineName,
  parseEngineHost,
  readEngineTls,
} from "./engine-address.ts";

/**
 * Finds the container engines of this machine and its user.
 *
 * - docker: `DOCKER_HOST` with `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH`, else the context that `DOCKER_CONTEXT` or docker's
 *   `config.json` names, else the first existing socket: `/var/run/docker.sock`, then those of the user.
 *   - podman: `CONTAINER_HOST`, else the socket of the user, else that of the system.
 *   - containerd: `CONTAINERD_ADDRESS`, else the system's socket, else those of k3s and MicroK8s. If `CONTAINERD_NAMESPACE` is set, only
 *   images of that namespace are found.
 *   @param systemFolder the folder of the system's sockets
 * @see https://docs.docker.com/reference/cli/docker/#environment-variables
 * @see https://docs.podman.io/en/latest/markdown/podman-system-service.1.html
 * @see https://github.com/containerd/nerdctl/blob/main/docs/config.md
 * @example
 * const source = await parseSource("docker:nginx:1.27", { engines: hostEngines(hostEnvironment()) });
 */
export function hostEngines(host: HostEnvironment, systemFolder = "/run"): EngineHosts {
  const { CONTAINERD_NAMESPACE: namespace } = host.variables;
  return {
    namespaces: namespace ? [namespace] : undefined,
    find: (engine) => finders[engine](host, systemFolder),
  };
}

const finders: Readonly<Record<EngineName, (host: HostEnvironment, systemFolder: string) => Promise<EngineAddress>>> = {
  docker: findDocker,
  podman: findPodman,
  containerd: findContainerd,
};

async function findDocker(host: HostEnvironment, systemFolder: string): Promise<EngineAddress> {
  const { variables, homeFolder } = host;
  const configFolder = variables.DOCKER_CONFIG || join(homeFolder, ".docker");
  const { DOCKER_HOST: named, DOCKER_TLS_VERIFY: verify, DOCKER_TLS: plain } = variables;
  if (named) {
    const folder = variables.DOCKER_CERT_PATH || configFolder;
    const tls = verify || plain ? await readEngineTls(folder, verify ? "verified" : "unverified") : undefined;
    return parseEngineHost(named, "DOCKER_HOST", tls);
  }
  const context = await findDockerContext(configFolder, variables.DOCKER_CONTEXT);
  if (context !== undefined) return context;
  const own = runtimeOf(host).map((folder) => join(folder, "docker.sock"));
  return firstSocket("docker", [
    join(systemFolder, "docker.sock"),
    ...own,
    join(homeFolder, ".docker/run/docker.sock"),
  ]);
}

async function findPodman(host: HostEnvironment, systemFolder: string): Promise<EngineAddress> {
  const { CONTAINER_HOST: named } = host.variables;
  if (named) return parseEngineHost(named, "CONTAINER_HOST", undefined);
  const folders = [...runtimeOf(host), systemFolder];
  return firstSocket(
    "podman",
    folders.map((folder) => join(folder, "podman/podman.sock")),
  );
}

async function findContainerd({ variables }: HostEnvironment, systemFolder: string): Promise<EngineAddress> {
  const { CONTAINERD_ADDRESS: named } = variables;
  if (named) return parseEngineHost(named.startsWith("/") ? `unix://${named}` : named, "CONTAINERD_ADDRESS", undefined);
  const microk8s = "/var/snap/microk8s/common/run/containerd.sock";
  const ofSystem = ["containerd/containerd.sock", "k3s/containerd/containerd.sock"];
  return firstSocket("containerd", [...ofSystem.map((path) => join(systemFolder, path)), microk8s]);
}

function runtimeOf({ variables, runtimeFolder }: HostEnvironment): readonly string[] {
  const folder = variables.XDG_RUNTIME_DIR || runtimeFolder;
  return folder === undefined ? [] : [folder];
}

const remedies: Readonly<Record<EngineName, string>> = {
  docker: "start docker, or set DOCKER_HOST to its address",
  podman: "start it (systemctl --user start podman.socket), or set CONTAINER_HOST to its address",
  containerd: "start it, or set CONTAINERD_ADDRESS to its address",
};

async function firstSocket(engine: EngineName, paths: readonly string[]): Promise<EngineAddress> {
  for (const path of paths) if (await isThere(path)) return { kind: "socket", path };
  throw new ScanError(
    "not_found",
    `${engine} does not answer on this machine: there is no socket ${paths.join(" or ")}; ${remedies[engine]}`,
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isSocket(),
    (error: unknown) => hasCode(error, "EACCES"), // the first request will explain the problem
  );
}

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
async function findDockerContext(folder: string, named: string | undefined): Promise<EngineAddress | undefined> {
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
