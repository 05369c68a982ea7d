import { homedir } from "node:os";
import { Readable } from "node:stream";
import type { Engine } from "@plimsoll/core";
import { runCli } from "@plimsoll/server";
import { Interruption } from "../../packages/server/src/cli/io.ts";

/** What one run of the command said. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where commands keep their files if a test names no folder: the home of the tests (`own-home.ts`). */
const home = { HOME: homedir() };

/** Surroundings that differ from those of a test: no environment, nothing on standard input, no terminal. */
export interface Surroundings {
  readonly stdin?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: number;
  /** Standard output is then a terminal of that width. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly engine?: Engine;
}

/** A Saturday, so that results do not depend on the day. */
export const testNow = Date.UTC(2026, 10, 21, 12);

/** Runs the command in this process. */
export async function runPlimsoll(words: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const { stdin = new Uint8Array(), env = {}, now = testNow, columns, signal, engine } = surroundings;
  const stdout = Object.assign(new TextSink(), columns === undefined ? {} : { isTTY: true, columns });
  const stderr = new TextSink();
  const code = await runCli(words, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    env: { ...home, ...env },
    now: () => now,
    signal,
    engine,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs the command in this process until standard error says something, and then tells it to stop. */
export async function runStopped(words: readonly string[], moment: RegExp): Promise<Ran> {
  const stop = new AbortController();
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  stderr.onText = (text) => {
    if (moment.test(text)) stop.abort(new Interruption("SIGTERM"));
  };
  const io = { stdin: Readable.from([]), stdout, stderr, env: home, now: () => testNow, signal: stop.signal };
  const code = await runCli(words, io);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class TextSink {
  text = "";
  onText: (text: string) => void = () => {};

  write(text: string): boolean {
    this.text += text;
    this.onText(text);
    return true;
  }
}

/** A command that runs in this process. Disposing tells it to stop, and waits for its end. */
export interface Running extends AsyncDisposable {
  /** What it has written to standard error so far. */
  readonly stderr: () => string;
  /** Waits until standard error matches, or the command ends. */
  readonly until: (moment: RegExp) => Promise<RegExpExecArray | undefined>;
}

/** Starts the command in this process, with the real clock. */
export function startPlimsoll(words: readonly string[], env: Readonly<Record<string, string>>): Running {
  const stop = new AbortController();
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const io = { stdin: Readable.from([]), stdout, stderr, env: { ...home, ...env }, now: Date.now, signal: stop.signal };
  const ended = runCli(words, io);
  return {
    stderr: () => stderr.text,
    until: async (moment) => {
      const matched = new Promise<void>((resolve) => {
        stderr.onText = () => moment.test(stderr.text) && resolve();
      });
      await Promise.race([matched, ended]);
      return moment.exec(stderr.text) ?? undefined;
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Interruption("SIGTERM"));
      await ended;
    },
  };
}
