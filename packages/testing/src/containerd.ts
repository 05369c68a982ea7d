import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startDaemon } from "./start-daemon.ts";

/** A real containerd that stores everything in one folder and runs no containers. */
export interface Containerd extends AsyncDisposable {
  /** The path of its socket. */
  readonly address: string;
}

/** Why containerd cannot be started on this machine; undefined where it can. */
export function whyNoContainerd(): string | undefined {
  const missing = ["containerd", "ctr"].find((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing !== undefined) return `${missing} is not installed`;
  return process.getuid?.() === 0 ? undefined : "containerd needs root";
}

/**
 * Starts a separate containerd.
 * @throws Error with the last line that it logged, when it exits by itself
 */
export async function startContainerd(folder: string): Promise<Containerd> {
  const address = join(folder, "containerd.sock");
  const config = join(folder, "containerd.toml");
  const settings = [
    "version = 2",
    `root = ${JSON.stringify(join(folder, "containerd-root"))}`,
    `state = ${JSON.stringify(join(folder, "containerd-state"))}`,
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
    `[grpc]\naddress = ${JSON.stringify(address)}`,
    `[ttrpc]\naddress = ${JSON.stringify(`${address}.ttrpc`)}`,
  ];
  await writeFile(config, `${settings.join("\n")}\n`);
  const words = ["--config", config];
  const daemon = await startDaemon({ program: "containerd", words, readyLine: "successfully booted" });
  return { address, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}
