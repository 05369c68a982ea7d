import { describe, expect, it } from "vitest";
import { mergeProblems, noProblems, noteProblem, problemFindings } from "./file-problems.ts";

describe("problemFindings", () => {
  it("yields nothing without problems", () => {
    expect([...problemFindings("etc/x", "malformed_image", noProblems())]).toEqual([]);
  });

  it("yields one finding for all problems of a file, the first five in full", () => {
    const problems = noProblems();
    noteProblem(problems, 0, "whole");
    for (let line = 1; line <= 6; line++) noteProblem(problems, line, "odd");

    const message = "whole; line 1: odd; line 2: odd; line 3: odd; line 4: odd; and 2 more";
    expect([...problemFindings("etc/x", "malformed_image", problems)]).toEqual([
      { kind: "problem", path: "etc/x", code: "malformed_image", message },
    ]);
  });
});

describe("mergeProblems", () => {
  it("counts all and lists at most five", () => {
    const problems = noProblems();
    const others = noProblems();
    for (let line = 1; line <= 4; line++) noteProblem(problems, line, "a");
    for (let line = 5; line <= 8; line++) noteProblem(others, line, "b");

    mergeProblems(problems, others);

    expect(problems.count).toBe(8);
    expect(problems.listed.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  });
});
