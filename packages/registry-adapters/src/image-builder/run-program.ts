import { spawn } from "node:child_process";

/** A program, its arguments and its environment. */
export interface ProgramOptions {
  /** The command before the program: {@link confined}, or one that begins with it. */
  readonly within: readonly string[];
  readonly program: string;
  /** The name of its action, for messages. */
  readonly name: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Watches the process until the signal is aborted. If it returns an error, the program is killed and the error is thrown. */
  watch?(pid: number, signal: AbortSignal): Promise<Error | undefined>;
}

/**
 * The command before a program that must end when this process ends, together with its descendants. It creates a PID namespace; the
 * kernel kills the first process of the namespace when this process ends, and with it all others. They see no process outside of it.
 */
export const confined = [
  "setpriv",
  "--pdeathsig",
  "KILL",
  "unshare",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
];

/** The error of a program that ended with another code than 0. */
export class ProgramFailed extends Error {
  override readonly name = "ProgramFailed";
}

/** Longer lines are cut: characters. */
const maxLine = 4000;

/** A program that prints more than this is killed: reading it keeps this process busy. */
const maxOutputBytes = 64 * 1024 ** 2;

/** While this many lines wait for the reader, the output of the program is not read, so that the program waits. */
const maxWaiting = 500;

/**
 * Runs a program and yields the lines that it prints, in batches of those that are there. The program is killed when the signal is
 * aborted or the reader stops.
 * @throws ProgramFailed when it ends with another code than 0, or prints too much; the signal's reason
 */
export async function* runProgram(options: ProgramOptions): AsyncGenerator<readonly string[]> {
  const { program, folder, environment, signal } = options;
  signal.throwIfAborted();
  const [command = "", ...before] = options.within;
  const child = spawn(command, [...before, program, ...options.arguments], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a process group of its own
  });
  let waiting: string[] = [];
  let wake = Promise.withResolvers<void>();
  let ended: { readonly code: number | null; readonly by: NodeJS.Signals | null } | undefined;
  let failure: Error | undefined;
  const streams = [child.stdout, child.stderr];
  const take = (line: string) => {
    waiting.push(line.slice(0, maxLine));
    if (waiting.length >= maxWaiting) for (const stream of streams) stream.pause();
    wake.resolve();
  };
  let excess: Error | undefined;
  limitOutput(streams, () => {
    excess ??= new ProgramFailed(`${program} ${options.name} printed more than ${maxOutputBytes / 1024 ** 2} MiB`);
    kill();
  });
  const closed = new Promise<void>((done) => {
    child.once("error", (error) => {
      failure = error;
    });
    child.once("close", (code, by) => {
      ended = { code, by };
      wake.resolve();
      done();
    });
  });
  for (const stream of streams) splitLines(stream, take);
  const kill = () => killGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  const isOver = new AbortController();
  const watching = watchChild(options, child.pid, isOver.signal).then((error) => {
    if (error !== undefined) kill();
    return error;
  });
  try {
    while (ended === undefined || waiting.length > 0) {
      if (waiting.length === 0) await wake.promise;
      wake = Promise.withResolvers<void>();
      const lines = waiting;
      waiting = [];
      for (const stream of streams) stream.resume();
      if (lines.length > 0) yield lines;
    }
  } finally {
    signal.removeEventListener("abort", kill);
    if (ended === undefined) kill();
    for (const stream of streams) stream.resume();
    await closed;
    isOver.abort();
    excess = (await watching) ?? excess;
  }
  signal.throwIfAborted();
  if (excess !== undefined) throw excess;
  if (failure !== undefined) throw failure;
  if (ended.code === 0) return;
  const how = ended.code === null ? `was ended by ${ended.by}` : `ended with exit code ${ended.code}`;
  throw new ProgramFailed(`${program} ${options.name} ${how}`);
}

async function watchChild(options: ProgramOptions, pid: number | undefined, signal: AbortSignal) {
  if (options.watch === undefined || pid === undefined) return undefined;
  try {
    return await options.watch(pid, signal);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Calls `onExcess` once the streams together have sent too much; the rest is dropped. */
function limitOutput(streams: readonly NodeJS.ReadableStream[], onExcess: () => void): void {
  let left = maxOutputBytes;
  for (const stream of streams) {
    stream.on("data", (text: string) => {
      left -= text.length;
      if (left < 0) onExcess();
    });
  }
}

/** Calls `onLine` for each line, without the line break. A carriage return ends a line as well, because programs print progress with it. */
function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  stream.setEncoding("utf8");
  let rest = "";
  stream.on("data", (text: string) => {
    const lines = (rest + text).split(/[\r\n]/);
    rest = lines.pop() ?? "";
    if (rest.length > maxLine) lines.push(rest.slice(0, maxLine));
    if (rest.length > maxLine) rest = "";
    for (const line of lines) if (line !== "") onLine(line);
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

/** Kills a process group. A group that has ended is no error. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended
  }
}
