import { describe, expect, it } from "vitest";
import { wrapPort } from "./wrap-port.ts";

class Counter {
  #count = 0;
  readonly unit = "bytes";

  add(bytes: number): number {
    this.#count += bytes;
    return this.#count;
  }

  reset(): void {
    this.#count = 0;
  }
}

describe("wrapPort", () => {
  it("changes a member, and calls all others on the object of a class", () => {
    const counter = new Counter();
    const doubled = wrapPort(counter, { add: (bytes) => counter.add(2 * bytes) });

    expect([doubled.add(1), doubled.add(1), doubled.unit]).toEqual([2, 4, "bytes"]);
    doubled.reset();
    expect(doubled.add(0)).toBe(0);
  });
});
