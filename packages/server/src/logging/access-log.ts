import type { RequestNotes } from "@plimsoll/http";
import type { Output } from "../cli/io.ts";

/** An answered request. */
export interface LoggedRequest extends RequestNotes {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** The size of the response body, if it was known beforehand. */
  readonly bytes?: number;
  readonly address: string;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Writes a line for each answered request. Disposing flushes it. */
export interface AccessLog extends Disposable {
  write(request: LoggedRequest): void;
}

/** Lines are written together, at this size or after this time: one write per line costs more than most responses. */
const maxWaiting = 16_384;
const waitMs = 200;

/**
 * Creates the access log: a JSON line for each request, with the event `request`, in the form of other log lines. It names the
 * operation and never the URL: URLs, headers and bodies may contain secrets.
 */
export function createAccessLog(output: Pick<Output, "write">): AccessLog {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  let last = { at: Number.NaN, text: "" };
  const timeOf = (at: number) => {
    if (at !== last.at) last = { at, text: new Date(at).toISOString() }; // many requests end in one millisecond
    return last.text;
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = "";
    if (lines !== "") output.write(lines);
  };
  return {
    write(request) {
      waiting += lineOf(request, timeOf(request.at));
      if (waiting.length >= maxWaiting) return flush();
      timer ??= setTimeout(flush, waitMs).unref();
    },
    [Symbol.dispose]: flush,
  };
}

function lineOf(request: LoggedRequest, time: string): string {
  const { operation, method, status, seconds, bytes, callerKind, caller, address, requestId, traceId, cut } = request;
  const who = callerKind === undefined ? "" : `,"callerKind":"${callerKind}"`;
  const named = caller === undefined ? "" : `,"caller":${JSON.stringify(caller)}`;
  const size = bytes === undefined ? "" : `,"bytes":${bytes}`;
  const took = `"durationMs":${Math.round(seconds * 1e6) / 1e3}`;
  const answered = `"operation":${JSON.stringify(operation)},"method":"${method}","status":${status},${took}${size}`;
  const from = `,"address":${JSON.stringify(address)},"requestId":"${requestId}"`;
  const traced = traceId === undefined ? "" : `,"traceId":"${traceId}"`;
  const ended = cut === undefined ? "" : `,"cut":"${cut}"`;
  return `{"level":"info","time":"${time}",${answered}${ended}${who}${named}${from}${traced},"event":"request"}\n`;
}
