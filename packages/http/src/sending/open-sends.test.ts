import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { notesOf } from "../request-notes.ts";
import { OpenSends } from "./open-sends.ts";
import { defaultSendLimits, type SendLimits } from "./send-limits.ts";

/** A response of a connection of its own, which only notes whether it was cut. */
class Response extends EventEmitter {
  readonly req: { readonly socket: EventEmitter & { destroyed: boolean }; readonly network: string };
  readonly socket: EventEmitter & { destroyed: boolean };
  destroyed = false;
  writableEnded = false;
  writableFinished = false;

  constructor(network = "192.0.2.1") {
    super();
    this.socket = Object.assign(new EventEmitter(), { destroyed: false });
    this.req = { socket: this.socket, network };
  }

  destroy(): void {
    this.destroyed = true;
  }
}

function world(limits: Partial<SendLimits> = {}) {
  let now = 0;
  let queued: readonly number[] = [];
  const sends = new OpenSends({
    limits: { ...defaultSendLimits, ...limits },
    now: () => now,
    networkOf: (response) => (response as unknown as Response).req.network,
    queuedFor: async () => queued,
  });
  const begin = (response: Response, { heldBytes = 0, park = () => {} } = {}) =>
    sends.begin(response as unknown as ServerResponse, heldBytes, park);
  /** Lets seconds pass, with a check in each. */
  const wait = (seconds: number) => {
    for (let each = 0; each < seconds; each++) {
      now += 1_000;
      sends.check();
    }
  };
  /** Ten seconds with what the system has queued at their end. */
  const waitWith = async (bytes: number) => {
    wait(10);
    queued = [bytes];
    await sends.observeQueues();
  };
  return { sends, begin, wait, waitWith };
}

describe("OpenSends", () => {
  it("cuts a client that reads nothing for the longest time", () => {
    const { sends, begin, wait } = world();
    const response = new Response();
    begin(response).written(1_000);

    wait(59);
    expect(response.destroyed).toBe(false);
    wait(1);
    expect(response.destroyed).toBe(true);
    expect(sends.figures()).toMatchObject({ open: 0, heldBytes: 0, cut: new Map([["stalled", 1]]) });
    expect(notesOf(response.req)).toEqual({ cut: "stalled" });
  });

  it("waits as long as it takes for a body that is slow to come", () => {
    const { begin, wait } = world();
    const response = new Response();
    begin(response);

    wait(600);

    expect(response.destroyed).toBe(false);
  });

  it("closes the body of a client that reads nothing for five seconds", () => {
    const { begin, wait } = world();
    let parked = 0;
    begin(new Response(), { park: () => (parked += 1) }).written(1_000);

    wait(4);
    expect(parked).toBe(0);
    wait(1);
    expect(parked).toBe(1);
  });

  it.each([
    { what: "cuts a client that takes 32 KB in 40 seconds", pieceBytes: 32 * 1024, seconds: 40, isCut: true },
    { what: "keeps a client that takes 10 KB a second", pieceBytes: 32 * 1024, seconds: 3, isCut: false },
    { what: "keeps a client that takes 512 KB in 50 seconds", pieceBytes: 512 * 1024, seconds: 50, isCut: false },
  ])("$what", ({ pieceBytes, seconds, isCut }) => {
    const { begin, wait } = world();
    const response = new Response();
    const send = begin(response);

    for (let piece = 0; piece < 20; piece++) {
      send.written(pieceBytes);
      wait(seconds);
      send.taken();
    }
    wait(1);

    expect(response.destroyed).toBe(isCut);
  });

  it("keeps a client whose long queue in the system becomes shorter", async () => {
    const { begin, waitWith } = world();
    const response = new Response();
    begin(response).written(1_000);

    for (let queued = 2_000_000; queued > 1_000_000; queued -= 100_000) await waitWith(queued);

    expect(response.destroyed).toBe(false);
  });

  it.each([
    { queue: "a long queue that stays", at: () => 2_000_000 },
    { queue: "a short queue that becomes shorter", at: (step: number) => 20_000 - 1_000 * step },
  ])("cuts a client with $queue", async ({ at }) => {
    const { begin, waitWith } = world();
    const response = new Response();
    begin(response).written(1_000);

    for (let step = 0; step < 7; step++) await waitWith(at(step));

    expect(response.destroyed).toBe(true);
  });

  it("refuses more bodies than one connection may have", () => {
    const { begin } = world({ perConnection: 2 });
    const response = new Response();
    begin(response);
    begin(response);

    expect(() => begin(response)).toThrow(expect.objectContaining({ code: "too_many_requests", retryAfterSeconds: 5 }));
    expect(() => begin(new Response())).not.toThrow();
  });

  it("refuses more bodies than one network may have while their clients read", () => {
    const { begin } = world({ perNetwork: 2 });
    for (let each = 0; each < 2; each++) begin(new Response());

    expect(() => begin(new Response())).toThrow(expect.objectContaining({ code: "too_many_requests" }));
    expect(() => begin(new Response("192.0.2.2"))).not.toThrow();
  });

  it("cuts the client of a crowded network that has read nothing for the longest time", () => {
    const { begin, wait } = world({ perNetwork: 2 });
    const [first, second, other] = [new Response(), new Response(), new Response("192.0.2.2")];
    for (const response of [other, first, second]) {
      begin(response).written(1_000);
      wait(3);
    }

    begin(new Response());

    expect([other, first, second].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  });

  it("refuses more bodies than the process may send, and cuts the largest network first", () => {
    const { sends, begin, wait } = world({ inAll: 3 });
    const [alone, ...many] = [new Response("192.0.2.2"), new Response(), new Response()];
    for (const response of [alone, ...many]) begin(response).written(1_000);
    expect(() => begin(new Response())).toThrow(expect.objectContaining({ code: "unavailable" }));

    wait(5);
    begin(new Response("192.0.2.3"));

    expect(alone.destroyed).toBe(false);
    expect(many.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    expect(sends.figures()).toMatchObject({ open: 3, refused: 1, cut: new Map([["crowded", 1]]) });
  });

  it("admits documents in memory to a quarter of the memory for one network, and always one", () => {
    const { sends, begin } = world({ heldBytes: 1_000 });
    begin(new Response(), { heldBytes: 400 });
    expect(() => begin(new Response(), { heldBytes: 1 })).toThrow(
      expect.objectContaining({ code: "too_many_requests" }),
    );

    const send = begin(new Response("192.0.2.2"), { heldBytes: 200 });
    begin(new Response("192.0.2.2"), { heldBytes: 50 });
    expect(() => begin(new Response("192.0.2.2"), { heldBytes: 1 })).toThrow("this network is sent as many large");
    send.end();
    begin(new Response("192.0.2.2"), { heldBytes: 200 });

    expect(sends.figures()).toMatchObject({ heldBytes: 650, refused: 2 });
  });

  it.each<[what: string, limits: Partial<SendLimits>]>([
    ["bodies", { inAll: 4 }],
    ["bytes", { heldBytes: 4_000 }],
  ])("cuts a client of the network that takes the most for one of another, although it reads: %s", (_, limits) => {
    const { begin } = world(limits);
    const crowd = Array.from({ length: 4 }, () => new Response());
    for (const response of crowd) begin(response).written(1_000);

    for (const network of ["192.0.2.2", "192.0.2.3"]) begin(new Response(network)).written(1_000);

    expect(crowd.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(1);
    expect(() => begin(new Response(), { heldBytes: 1_000 })).toThrow(
      expect.objectContaining({ code: expect.any(String) }),
    );
  });

  it("counts the memory of bodies and of what is written", () => {
    const { sends, begin, wait } = world({ heldBytes: 1_000 });
    const response = new Response();
    const send = begin(response, { heldBytes: 500 });
    send.written(600);
    expect(sends.figures().heldBytes).toBe(1_100);
    expect(() => begin(new Response())).toThrow(expect.objectContaining({ code: "unavailable" }));

    wait(5);

    expect(response.destroyed).toBe(true);
    expect(sends.figures().heldBytes).toBe(0);
  });

  it("cuts a response that was written at once and is not read", () => {
    const { sends, wait } = world();
    const [unread, read] = [new Response(), new Response()];
    for (const response of [unread, read]) {
      sends.follow(response as unknown as ServerResponse);
      response.writableEnded = true;
    }
    read.writableFinished = true;

    wait(62);

    expect([unread, read].map(({ destroyed }) => destroyed)).toEqual([true, false]);
    expect([unread, read].map(({ req }) => notesOf(req).cut)).toEqual(["stalled", undefined]);
  });
});
