import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { nameSources, testProgram } from "@plimsoll/testing";

/** Words of Node for a program of the tests. */
export function programWords(source: URL): readonly string[] {
  const { path, execArgv } = testProgram(source);
  return [...execArgv, path];
}

/** The command: as it stands here, or the built one that `PLIMSOLL_TEST_COMMAND` names. */
const built = process.env.PLIMSOLL_TEST_COMMAND ?? "";
const source = new URL("../../packages/server/src/plimsoll.ts", import.meta.url);
export const plimsollWords: readonly string[] = built === "" ? programWords(source) : [resolve(built)];

/** What programs of the tests take over from the surroundings: where files are, and the clock, the time zone and the language. */
const surroundings = ["PATH", "HOME", "TMPDIR", "NODE_COMPILE_CACHE", "TZ", "LANG", "LC_ALL", "LD_PRELOAD"] as const;
const movedClock = ["FAKETIME", "FAKETIME_SHARED", "FAKETIME_DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"] as const;

/** What programs of the tests are started with. */
export const programEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...surroundings, ...movedClock].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** How long a test may take that kills programs so often: milliseconds. Most of a life is the start of the program. */
export const killsTimeLimit = (kills: number): number => 120_000 + kills * 15_000;

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
      stderr: nameSources(stderr),
    }));
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}
