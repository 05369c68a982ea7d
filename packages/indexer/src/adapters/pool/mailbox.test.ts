import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { openMailbox } from "./mailbox.ts";

describe("openMailbox", () => {
  it("gives messages in order, waiting for those that are not there yet", async () => {
    const { port1, port2 } = new MessageChannel();
    const mailbox = openMailbox<number>(port1);
    const first = mailbox.take();

    for (const message of [1, 2, 3]) port2.postMessage(message);

    expect([await first, await mailbox.take(), await mailbox.take()]).toEqual([1, 2, 3]);
    port1.close();
  });

  it.each(["port1", "port2"] as const)("gives nothing once %s is closed", async (closed) => {
    const channel = new MessageChannel();
    const mailbox = openMailbox<number>(channel.port1);
    const waiting = mailbox.take();

    channel[closed].close();

    expect([await waiting, await mailbox.take()]).toEqual([undefined, undefined]);
  });
});
