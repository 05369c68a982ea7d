import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The command: the sources, or the built one that `PLIMSOLL_TEST_COMMAND` names, which starts in a fraction of the time. */
const built = process.env.PLIMSOLL_TEST_COMMAND ?? "";
const sources = fileURLToPath(new URL("../../packages/server/src/plimsoll.ts", import.meta.url));
const fromSources = "--conditions=plimsoll-source";
export const plimsollWords: readonly string[] = built === "" ? [fromSources, sources] : [resolve(built)];

/** Words of Node for a program of the tests. */
export function programWords(url: URL): readonly string[] {
  return [fromSources, fileURLToPath(url)];
}

/** What programs of the tests are started with: what Node has compiled once it takes from there, which halves their start. */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  NODE_COMPILE_CACHE: join(tmpdir(), "plimsoll-test-compile-cache"),
};

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly wasKilled: boolean;
  readonly stderr: string;
}

/** A program in a process of its own that is to be killed. */
export class KilledProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;

  /** @param words what Node is called with */
  constructor(words: readonly string[]) {
    this.child = spawn(process.execPath, [...words], {
      env: programEnvironment,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let stderr = "";
    this.child.stderr?.on("data", (chunk) => (stderr += chunk));
    this.ended = once(this.child, "close").then(([code, signal]) => ({
      code,
      wasKilled: signal === "SIGKILL",
      stderr,
    }));
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}
