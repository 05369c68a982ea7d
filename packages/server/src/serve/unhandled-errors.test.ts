import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { OwnProcess } from "../cli/io.ts";
import { watchUnhandledErrors } from "./unhandled-errors.ts";

/** A process in which errors occur as in Node's. */
function openProcess() {
  const events = new EventEmitter();
  const [lines, notes, fatal, printed]: [unknown[], string[], unknown[], unknown[]] = [[], [], [], []];
  const line = (level: string) => (fields: object, event: string) => void lines.push([level, event, fields]);
  events.on("warning", (warning) => printed.push(warning));
  const watched = watchUnhandledErrors({
    process: events as unknown as OwnProcess,
    logger: { warn: line("warn"), error: line("error"), fatal: line("fatal") } as never,
    note: (kind) => notes.push(kind),
    onFatal: (error) => fatal.push(error),
  });
  return { events, lines, notes, fatal, printed, watched };
}

/** The error that an emitter throws without a listener. */
function unheard(error: unknown): unknown {
  try {
    new EventEmitter().emit("error", error);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

const withCode = (code: string, message = code) => Object.assign(new Error(message), { code });

describe("watchUnhandledErrors", () => {
  it.each<[string, unknown]>([
    ["an error event without a listener", unheard(new Error("the broker went away"))],
    ["an error event with a text", unheard("no error")],
    ["a reset connection", withCode("ECONNRESET")],
    ["a pipe without a reader", withCode("EPIPE")],
    ["an HTTP/2 stream", withCode("ERR_HTTP2_STREAM_ERROR")],
    ["a TLS handshake", withCode("ERR_SSL_WRONG_VERSION_NUMBER")],
    [
      "a collected file handle",
      withCode("ERR_INVALID_STATE", "A FileHandle object was closed during garbage collection."),
    ],
  ])("goes on after the failure of one object: %s", (_, error) => {
    const { events, lines, notes, fatal } = openProcess();

    events.emit("uncaughtException", error, "uncaughtException");

    expect(notes).toEqual(["event"]);
    expect(lines).toEqual([["error", "error_unhandled", { err: error, kind: "event" }]]);
    expect(fatal).toEqual([]);
  });

  it("goes on after a rejection that no code awaits", () => {
    const { events, lines, notes, fatal } = openProcess();

    events.emit("unhandledRejection", new Error("late"), Promise.resolve());

    expect([notes, fatal]).toEqual([["rejection"], []]);
    expect(lines).toMatchObject([["error", "error_unhandled", { kind: "rejection" }]]);
  });

  it.each<[string, unknown]>([
    ["a mistake", new TypeError("x is not a function")],
    ["another invalid state", withCode("ERR_INVALID_STATE", "Reader released")],
    ["a thrown text", "text"],
  ])("ends the process once after any other exception: %s", (_, error) => {
    const { events, lines, notes, fatal } = openProcess();

    events.emit("uncaughtException", error, "uncaughtException");
    events.emit("uncaughtException", new Error("and one more while it stops"), "uncaughtException");

    expect([notes, fatal]).toEqual([["exception", "exception"], [error]]);
    expect(lines).toMatchObject([
      ["fatal", "error_unhandled", {}],
      ["fatal", "error_unhandled", {}],
    ]);
  });

  it("logs warnings of Node in place of Node's own lines, until it is disposed", () => {
    const { events, lines, printed, watched } = openProcess();

    events.emit("warning", new Error("too many listeners"));
    watched[Symbol.dispose]();
    events.emit("warning", new Error("another"));

    expect(lines).toEqual([["warn", "process_warning", { name: "Error", reason: "too many listeners" }]]);
    expect(printed).toHaveLength(1);
    expect(events.eventNames()).toEqual(["warning"]);
  });
});
