import { describe, expect, it } from "vitest";
import { createIndexSlots } from "./index-slots.ts";

describe("createIndexSlots", () => {
  it("gives out as many as there are, and again what was given back", () => {
    const slots = createIndexSlots(2, 5);
    const first = slots.take();
    slots.take();

    expect(() => slots.take()).toThrow(expect.objectContaining({ code: "too_many_requests", retryAfterSeconds: 5 }));
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    slots.take();
    expect(() => slots.take()).toThrow("all 2 index slots are busy");
  });
});
