import { describe, expect, it } from "vitest";
import { localPath } from "./without-account.tsx";

describe("localPath", () => {
  it.each([
    ["/alice/app:1.0?severity=Low", "/alice/app:1.0?severity=Low"],
    [
      "/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example",
      "/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example",
    ],
    ["/a/../b", "/b"],
    ["", undefined],
    ["alice", undefined],
    ["//evil.example", undefined],
    ["/\\evil.example", undefined],
    ["/\t/evil.example", undefined],
    ["/.//evil.example", undefined],
    ["https://evil.example/", undefined],
    ["https://registry.example/alice", undefined],
    ["javascript:alert(1)", undefined],
  ])("reads %j as %j", (text, path) => {
    expect(localPath(text, "https://registry.example")).toBe(path);
  });
});
