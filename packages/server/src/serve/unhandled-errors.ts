import type { Logger } from "pino";
import type { OwnProcess } from "../cli/io.ts";
import type { UnhandledKind } from "../metrics/process-figures.ts";
import { reasonOf } from "./outages.ts";

/** Options of {@link watchUnhandledErrors}. */
export interface UnhandledErrorOptions {
  readonly process: OwnProcess;
  readonly logger: Pick<Logger, "warn" | "error" | "fatal">;
  readonly note: (kind: UnhandledKind) => void;
  /** Called once, for the first error after which the process must not go on. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * Handles what no other code of the process has handled: each such error is an event in the log and is counted. The process goes on, except
 * after an exception.
 *
 * | what | kind | what is known to be intact | the process |
 * | --- | --- | --- | --- |
 * | an `error` event without a listener | `event` | the object that emitted it has failed, and its users find it failed | goes on |
 * | a broken connection, pipe or file handle | `event` | likewise | goes on |
 * | a rejected promise that no code awaits | `rejection` | the function has run its `finally` and `using` | goes on |
 * | any other exception | `exception` | nothing: a callback was left in the middle | finishes its work, and ends |
 *
 * @see https://nodejs.org/api/process.html#warning-using-uncaughtexception-correctly
 */
export function watchUnhandledErrors({ process, logger, note, onFatal }: UnhandledErrorOptions): Disposable {
  let hasFailed = false;
  const exception = (err: unknown) => {
    const kind = isOfOneObject(err) ? "event" : "exception";
    note(kind);
    if (kind === "event") return logger.error({ err, kind }, "error_unhandled");
    logger.fatal({ err, kind }, "error_unhandled");
    if (hasFailed) return;
    hasFailed = true;
    onFatal(err);
  };
  const rejection = (err: unknown) => {
    note("rejection");
    logger.error({ err, kind: "rejection" }, "error_unhandled");
  };
  const warning = (given: Error) => logger.warn({ name: given.name, reason: reasonOf(given) }, "process_warning");
  const printed = process.listeners("warning"); // Node's own listener prints lines that are not JSON
  for (const listener of printed) process.off("warning", listener);
  process.on("warning", warning).on("uncaughtException", exception).on("unhandledRejection", rejection);
  return {
    [Symbol.dispose]() {
      process.off("warning", warning).off("uncaughtException", exception).off("unhandledRejection", rejection);
      for (const listener of printed) process.on("warning", listener);
    },
  };
}

/** Whether an error was thrown because one object failed, such as a connection: its own state is all that is lost. */
function isOfOneObject(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (Object.getOwnPropertySymbols(error).some(({ description }) => description === eventMark)) return true;
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_INVALID_STATE") return error.message.includes("closed during garbage collection");
  return brokenCodes.has(code) || brokenPrefixes.some((prefix) => code.startsWith(prefix));
}

/** The symbol with which Node marks an error that an emitter without a listener throws. */
const eventMark = "kEnhanceStackBeforeInspector";

/** Codes of a connection, a pipe or a stream that is broken. */
const brokenCodes: ReadonlySet<string> = new Set([
  ...["ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ENOTCONN", "EPIPE", "ETIMEDOUT"],
  ...["ERR_STREAM_DESTROYED", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_WRITE_AFTER_END", "ERR_UNHANDLED_ERROR"],
  ...["ERR_SOCKET_CLOSED", "EPROTO"],
]);

const brokenPrefixes = ["ERR_HTTP2_", "ERR_SSL_", "ERR_TLS_"];
