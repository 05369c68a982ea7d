import { describe, expect, it } from "vitest";
import { createAccessLog } from "./access-log.ts";

const request = {
  operation: "getRepo",
  method: "GET",
  status: 200,
  seconds: 0.0012345,
  address: "::1",
  requestId: "a-b",
  at: 0,
};

function openLog() {
  const writes: string[] = [];
  const log = createAccessLog({ write: (text: string) => writes.push(text) > 0 });
  return { log, writes };
}

describe("createAccessLog", () => {
  it("writes one line of JSON per request, in the form of the other log lines", () => {
    const { log, writes } = openLog();

    log.write({ ...request, bytes: 7, callerKind: "robot", caller: 'acme+"ci' });
    log.write({ ...request, status: 404, traceId: "0af7" });
    log.write({ ...request, status: 499, cut: "stalled" });
    log[Symbol.dispose]();

    const lines = writes
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const common = { level: "info", time: "1970-01-01T00:00:00.000Z", event: "request", durationMs: 1.235 };
    const asked = { operation: "getRepo", method: "GET", address: "::1", requestId: "a-b" };
    expect(lines).toEqual([
      { ...common, ...asked, status: 200, bytes: 7, callerKind: "robot", caller: 'acme+"ci' },
      { ...common, ...asked, status: 404, traceId: "0af7" },
      { ...common, ...asked, status: 499, cut: "stalled" },
    ]);
  });

  it("writes many lines at once, each only once", () => {
    const { log, writes } = openLog();

    for (let count = 0; count < 1000; count++) log.write(request);
    log[Symbol.dispose]();

    expect(writes.join("").split("\n")).toHaveLength(1001);
    expect(writes.length).toBeLessThan(50);
  });
});
