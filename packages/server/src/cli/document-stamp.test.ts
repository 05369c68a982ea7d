import { describe, expect, it } from "vitest";
import { documentStamp } from "./document-stamp.ts";

const now = () => 1_700_000_000_123;

describe("documentStamp", () => {
  it.each([
    [{}, 1_700_000_000_123],
    [{ SOURCE_DATE_EPOCH: "" }, 1_700_000_000_123],
    [{ SOURCE_DATE_EPOCH: "86400" }, 86_400_000],
  ])("%j", (env, createdAt) => {
    expect(documentStamp({ env, now })).toMatchObject({ createdAt });
  });

  it.each(["yesterday", "-1", "1.5", "9".repeat(20)])("rejects %j", (epoch) => {
    expect(() => documentStamp({ env: { SOURCE_DATE_EPOCH: epoch }, now })).toThrow("expected seconds since 1970");
  });
});
