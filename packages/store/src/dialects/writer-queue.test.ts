import { describe, expect, it } from "vitest";
import { inBackground } from "../in-background.ts";
import { WriterQueue } from "./writer-queue.ts";

/** The order in which waiting callers write: `c` is a client, `b` background work. */
async function orderOf(callers: string): Promise<string> {
  const queue = new WriterQueue();
  const holder = await queue.acquire();
  let order = "";
  const write = async (name: string) => {
    const turn = await queue.acquire();
    order += name;
    turn.release();
  };
  const writing = [...callers].map((name) => (name === "b" ? inBackground(() => write(name)) : write(name)));
  holder.release();
  await Promise.all(writing);
  return order;
}

describe("WriterQueue", () => {
  it.each([
    ["ccc", "ccc"],
    ["bbb", "bbb"],
    ["bcbc", "ccbb"],
    ["bbccccccccccccc", "ccccccccbcccccb"],
    ["bbcccccccccccccccccccc", "ccccccccbccccccccbcccc"],
  ])("lets %s in as %s", async (callers, order) => {
    expect(await orderOf(callers)).toBe(order);
  });

  it("admits one at a time, also one that arrives at a handover", async () => {
    const queue = new WriterQueue();
    const holder = await queue.acquire();
    let writing = 0;
    let most = 0;
    const write = async () => {
      const turn = await queue.acquire();
      most = Math.max(most, ++writing);
      await Promise.resolve();
      writing--;
      turn.release();
    };

    const first = write();
    holder.release();
    await Promise.all([first, write(), write()]);

    expect(most).toBe(1);
  });
});
