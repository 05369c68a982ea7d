import { setImmediate as turn } from "node:timers/promises";
import { openOutbound } from "@plimsoll/outbound";
import { invalidRequest } from "@plimsoll/registry";
import { collectBytes, collectGarbage, startFeedServer } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createOutgoing, type GuardedRequests } from "./outgoing.ts";

const { signal } = new AbortController();

function answering(send: GuardedRequests["send"]) {
  return createOutgoing({ check: async () => {}, send });
}

describe("createOutgoing", () => {
  it("downloads the whole file, however late it is read", async () => {
    await using server = await startFeedServer();
    server.answer("/app.tar", { body: "the archive" });
    await using outbound = openOutbound({ policy: "trusted", connectMs: 10_000, idleMs: 120_000 });

    const archive = await answering(outbound.fetch).download(`${server.url}app.tar`, { signal });
    for (let turns = 0; turns < 10; turns++) {
      collectGarbage();
      await turn();
    }

    expect(Buffer.from(await collectBytes(archive)).toString()).toBe("the archive");
  });

  it.each([
    [404, "BuildError", /answered 404/],
    [401, "BuildError", /answered 401/],
    [429, "Error", /answered 429/],
    [503, "Error", /answered 503/],
  ])("cancels the body of an answer %i and throws %s", async (status, name, message) => {
    const cancelled: unknown[] = [];
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: (reason) => void cancelled.push(reason),
    });
    const outgoing = answering(async () => new Response(body, { status }));

    const fetching = outgoing.download("https://archives.example/a", { signal });

    await expect(fetching).rejects.toThrow(message);
    await expect(fetching).rejects.toMatchObject({ name });
    expect(cancelled).toHaveLength(1);
  });

  it("sends no request to a forbidden host", async () => {
    const asked: string[] = [];
    const outgoing = createOutgoing({
      check: async (host) => {
        throw invalidRequest(`${host}: no`);
      },
      send: async (url) => {
        asked.push(url);
        return new Response();
      },
    });

    await expect(outgoing.download("http://169.254.169.254/latest", { signal })).rejects.toThrow(/169\.254.*no/);
    expect(asked).toEqual([]);
  });

  it.each([
    [200, "done"],
    [202, "taken"],
    [302, "refused"],
    [503, "refused"],
  ])("says of a receiver that answers %i: %s", async (status, kind) => {
    const outgoing = answering(async () => new Response(null, { status }));

    const receipt = await outgoing.deliver({ url: "https://hooks.example/a", text: "{}" }, { signal });

    expect(receipt).toEqual({ kind, text: `the receiver answered ${status}` });
  });
});
