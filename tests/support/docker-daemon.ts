import { join } from "node:path";
import { startDaemon } from "@plimsoll/testing";
import { isInstalled } from "./client-program.ts";
import { tempFolder } from "./temp-folder.ts";

/** A Docker daemon that keeps everything in a folder of its own, changes nothing of the network and runs no containers. */
export interface DockerDaemon extends AsyncDisposable {
  /** What clients know it by: `DOCKER_HOST`. */
  readonly address: string;
}

/** Why there can be no Docker daemon here; undefined where there can. */
export function whyNoDocker(): string | undefined {
  const missing = ["docker", "dockerd"].find((program) => !isInstalled(program));
  if (missing !== undefined) return `${missing} is not installed`;
  return process.getuid?.() === 0 ? undefined : "dockerd needs root";
}

/**
 * Starts a Docker daemon.
 * @param insecure `HOST:PORT` of the registry that it speaks plain HTTP with
 * @throws Error with what it said last, when it ends by itself
 */
export async function startDockerDaemon(insecure: string): Promise<DockerDaemon> {
  const folder = tempFolder("/tmp"); // it never unmounts a folder whose path has a space
  const address = `unix://${join(folder.path, "docker.sock")}`;
  const folders = ["--data-root", join(folder.path, "data"), "--exec-root", join(folder.path, "exec")];
  const settings = folder.write("daemon.json", JSON.stringify({ "insecure-registries": [insecure] }));
  const files = ["--pidfile", join(folder.path, "docker.pid"), "--config-file", settings];
  const alone = ["--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver=vfs"];
  const words = ["--host", address, ...folders, ...files, ...alone];
  await using resources = new AsyncDisposableStack();
  resources.use(folder);
  resources.use(await startDaemon({ program: "dockerd", words, readyLine: "API listen on" }));
  const owned = resources.move();
  return { address, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
