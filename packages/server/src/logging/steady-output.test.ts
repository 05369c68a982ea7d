import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SteadyOutput } from "./steady-output.ts";

/** A descriptor that takes some bytes at a time, or fails. */
function openDescriptor() {
  const descriptor = { text: "", room: Number.POSITIVE_INFINITY, fails: undefined as string | undefined };
  const write = (bytes: Uint8Array): number => {
    const code = descriptor.fails ?? (descriptor.room === 0 ? "EAGAIN" : undefined);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const taken = Math.min(bytes.length, descriptor.room);
    descriptor.room -= taken;
    descriptor.text += Buffer.from(bytes.subarray(0, taken)).toString();
    return taken;
  };
  const output = new SteadyOutput({ write, maxWaitingBytes: 12 });
  output.lost.describe = (lines) => `lost ${lines}\n`;
  return { descriptor, output };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("SteadyOutput", () => {
  it.each(["ENOSPC", "EPIPE", "EIO", "EBADF"])(
    "loses and counts lines while writing fails with %s, and tells it afterwards",
    (code) => {
      const { descriptor, output } = openDescriptor();
      output.write("a\n");

      descriptor.fails = code;
      output.write("b\n");
      output.write("c\nd\n");
      descriptor.fails = undefined;
      output.write("e\n");
      output.write("f\n");

      expect(descriptor.text).toBe("a\nlost 3\ne\nf\n");
      expect(output.lost.total).toBe(3);
    },
  );

  it("keeps lines in order for a slow reader", async () => {
    const { descriptor, output } = openDescriptor();
    descriptor.room = 3;

    const written = ["first\n", "next\n"].map((line) => output.write(line));
    descriptor.room = 4;
    await vi.advanceTimersByTimeAsync(20);
    descriptor.room = 100;
    await vi.advanceTimersByTimeAsync(20);

    expect(written).toEqual([false, false]);
    expect(descriptor.text).toBe("first\nnext\n");
    expect(output.lost.total).toBe(0);
  });

  it("loses the lines that have no room while nothing is read, and tells it where they are missing", () => {
    const { descriptor, output } = openDescriptor();
    descriptor.room = 0;

    for (const name of ["1", "2", "3", "4"]) output.write(`line ${name}\n`);
    descriptor.room = 1000;
    output.flush();
    output.write("line 5\n");

    expect(descriptor.text).toBe("line 1\nlost 3\nline 5\n");
  });

  it("ends a line that was cut before it writes the next one", () => {
    const { descriptor, output } = openDescriptor();
    descriptor.room = 3;
    output.write("first\n");

    descriptor.fails = "ENOSPC";
    output.flush();
    descriptor.fails = undefined;
    descriptor.room = 1000;
    output.write("next\n");

    expect(descriptor.text).toBe("fir\nlost 1\nnext\n");
  });

  it("counts a line once, however often telling of it fails", () => {
    const { descriptor, output } = openDescriptor();
    descriptor.fails = "ENOSPC";

    for (let count = 0; count < 5; count += 1) output.write("x\n");
    descriptor.fails = undefined;
    output.write("y\n");

    expect(descriptor.text).toBe("lost 5\ny\n");
    expect(output.lost.total).toBe(5);
  });

  it("waits for its reader at the end, but not longer than allowed", async () => {
    const { descriptor, output } = openDescriptor();
    descriptor.room = 0;
    output.write("x\n");
    let [isDrained, isGivenUp] = [false, false];

    const givenUp = output.drain(40).then(() => (isGivenUp = true));
    await vi.advanceTimersByTimeAsync(60);
    await givenUp;
    descriptor.room = 10;
    const drained = output.drain(1_000).then(() => (isDrained = true));
    await vi.advanceTimersByTimeAsync(20);
    await drained;

    expect([isGivenUp, isDrained, descriptor.text]).toEqual([true, true, "x\n"]);
  });
});
