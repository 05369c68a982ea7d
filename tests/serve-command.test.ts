/** `plimsoll serve` as its user meets it: started, asked, stopped. */
import { Readable } from "node:stream";
import { runCli } from "@plimsoll/server";
import { describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

interface Listening {
  readonly address: string;
  readonly healthAddress: string;
  readonly scannerAddress: string;
}

describe("plimsoll serve", () => {
  it("says where it listens, answers, and ends well when it is told to stop", async () => {
    using folder = tempFolder();
    const stop = new AbortController();
    const lines: string[] = [];
    const { promise: listening, resolve } = Promise.withResolvers<Listening>();
    const stderr = {
      write(line: string) {
        lines.push(line);
        if (line.includes('"event":"listening"')) resolve(JSON.parse(line));
        return true;
      },
    };
    const ended = runCli(["serve", "--data", folder.path, "--port", "0"], {
      stdin: Readable.from([]),
      stdout: stderr,
      stderr,
      env: { PLIMSOLL_OFFLINE: "1", PLIMSOLL_SCANNER_PORT: "0", PLIMSOLL_BEHIND_TLS: "true" },
      now: Date.now,
      signal: stop.signal,
    });

    const { address, healthAddress, scannerAddress } = await listening;
    const state = await exchange(`${scannerAddress}/indexer/api/v1/index_state`);
    const closed = await exchange(`${address}/indexer/api/v1/index_state`);
    const ready = await exchange(`${healthAddress}/readyz`);
    stop.abort();

    expect([state.status, closed.status, ready.status, await ended]).toEqual([200, 401, 200, 0]);
    expect(lines.at(-1)).toContain('"event":"stopped"');
    expect(lines.join("")).toMatch(
      /"reason":"behindTls is set, but trustedProxies is empty.*"event":"proxy_not_trusted"/,
    );
    await expect(exchange(`${address}/indexer/api/v1/index_state`)).rejects.toThrow("ECONNREFUSED");
  });

  it.each([
    [["--port", "x"], "--port: expected a port number"],
    [["--mode", "matcher"], "indexerAddress is missing"],
    [["--mode", "matcher,notifier", "--mode", "builder"], "--mode: expected some of all, indexer"],
    [["--compatibility", "other"], "Allowed choices are contract, reference"],
  ])("refuses %j", async (flags, message) => {
    using folder = tempFolder();
    const { code, stderr } = await runPlimsoll(["serve", "--data", folder.path, ...flags]);

    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
