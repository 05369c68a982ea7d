import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startDaemon } from "./start-daemon.ts";

/** A real containerd that keeps everything in a folder and runs no containers. */
export interface Containerd extends AsyncDisposable {
  /** The socket that it answers on. */
  readonly address: string;
}

/** Why there can be no containerd here; undefined where there can. */
export function whyNoContainerd(): string | undefined {
  const missing = ["containerd", "ctr"].find((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing !== undefined) return `${missing} is not installed`;
  return process.getuid?.() === 0 ? undefined : "containerd needs root";
}

/**
 * Starts a containerd of its own.
 * @throws Error with what it said last, when it ends by itself
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
