import { Server } from "node:net";
import { describe, expect, it } from "vitest";
import { watchListener } from "./watch-listener.ts";

function watched() {
  const time = { now: 0 };
  const seen = { lines: [] as unknown[], notAccepted: 0, lost: [] as string[] };
  const line = (fields: object, event: string) => void seen.lines.push([event, fields]);
  const server = new Server();
  watchListener(server, {
    logger: { warn: line, fatal: line } as never,
    setting: "port",
    clock: { now: () => time.now },
    noteNotAccepted: () => seen.notAccepted++,
    onLost: ({ message }) => seen.lost.push(message),
  });
  const fail = (code: string, syscall = "accept") =>
    server.emit("error", Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
  return { time, seen, fail };
}

describe("watchListener", () => {
  it.each(["EMFILE", "ENFILE", "ENOBUFS", "ECONNABORTED"])(
    "goes on after %s, and logs crowds once in ten seconds",
    (code) => {
      const { time, seen, fail } = watched();

      for (const at of [0, 1, 9_999, 10_000]) {
        time.now = at;
        fail(code);
      }

      const line = ["connections_not_accepted", { setting: "port", reason: `accept ${code}` }];
      expect(seen).toEqual({ lines: [line, line], notAccepted: 4, lost: [] });
    },
  );

  it.each(["EBADF", "EINVAL", "ENOTSOCK"])("reports that the port is lost after %s", (code) => {
    const { seen, fail } = watched();

    fail(code);

    expect(seen).toEqual({
      lines: [["port_lost", { setting: "port", reason: `accept ${code}` }]],
      notAccepted: 0,
      lost: [`accept ${code}`],
    });
  });

  it("leaves errors of listening to the code that listens", () => {
    const { seen, fail } = watched();

    fail("EADDRINUSE", "listen");

    expect(seen).toEqual({ lines: [], notAccepted: 0, lost: [] });
  });
});
