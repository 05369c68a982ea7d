import { describe, expect, it } from "vitest";
import { documentStamp, gitHubJob } from "./document-stamp.ts";

const now = () => 1_700_000_000_123;

const sha = "0123456789abcdef0123456789abcdef01234567";

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

describe("gitHubJob", () => {
  it("reads the variables of a workflow run", () => {
    const env = {
      GITHUB_SHA: sha,
      GITHUB_REF: "refs/pull/1/merge",
      GITHUB_RUN_ID: "7",
      GITHUB_WORKFLOW: "ci",
      GITHUB_JOB: "scan",
    };

    expect(gitHubJob({ env })).toEqual({ sha, ref: "refs/pull/1/merge", id: "7", correlator: "ci scan" });
  });

  it.each([
    [{ GITHUB_REF: "refs/heads/main" }, "GITHUB_SHA: expected the 40 digits"],
    [{ GITHUB_SHA: "abc", GITHUB_REF: "refs/heads/main" }, 'found "abc"'],
    [{ GITHUB_SHA: sha, GITHUB_REF: "main" }, 'GITHUB_REF: expected refs/heads/BRANCH, found "main"'],
  ])("refuses %j", (env, message) => {
    expect(() => gitHubJob({ env })).toThrow(message);
  });
});
