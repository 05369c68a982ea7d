import { describe, expect, it } from "vitest";
import { isOpenToOthers } from "./is-open-to-others.ts";

const auth = { key: new Uint8Array(32), issuers: ["ci"] };

describe("isOpenToOthers", () => {
  it.each([
    { host: "127.0.0.1", isOpen: false },
    { host: "127.1.2.3", isOpen: false },
    { host: "::1", isOpen: false },
    { host: "localhost", isOpen: false },
    { host: "0.0.0.0", isOpen: true },
    { host: "::", isOpen: true },
    { host: "10.0.0.1", isOpen: true },
    { host: "127.example.com", isOpen: true },
    { host: "0.0.0.0", auth, isOpen: false },
  ])("says $isOpen of $host", ({ isOpen, ...settings }) => {
    expect(isOpenToOthers(settings)).toBe(isOpen);
  });
});
