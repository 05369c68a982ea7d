import { constants, openSync, writeSync } from "node:fs";
import { SteadyOutput } from "../logging/steady-output.ts";

/** Opens standard error, so that a reader who stops reading or goes away, or a full disk, neither stops nor ends the process. */
export function openStandardError(stream: NodeJS.WriteStream & { readonly fd: number }): SteadyOutput {
  stream.on("error", () => {}); // what Node itself writes may fail as well
  const descriptor = stream.isTTY ? openTerminal(stream.fd) : stream.fd; // Node has made a pipe non-blocking
  return new SteadyOutput({ write: (bytes) => writeSync(descriptor, bytes), terminal: stream });
}

/** Opens the terminal once more for writes that do not wait: its reader can stop it with Ctrl-S. */
function openTerminal(descriptor: number): number {
  try {
    return openSync("/dev/stderr", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return descriptor; // a terminal of another user, or Windows
  }
}
