import { describe, expect, it } from "vitest";
import { readLocked } from "../language/fixtures/read-locked.ts";

describe("podfileLockDetector", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "a pod and its parts once",
      'PODS:\n  - A (4.0.1):\n    - A/B (= 4.0.1)\n  - A/B (4.0.1)\n  - "C/D+E (1.0.0-beta.1)":\n    - A\n',
      ["A 4.0.1", "C 1.0.0-beta.1"],
    ],
    [
      "a pod from Git, but none of the project",
      "PODS:\n  - A (1)\n  - B (2)\nEXTERNAL SOURCES:\n  A:\n    :path: a\n  B:\n    :git: https://a.example/b\n",
      ["B 2"],
    ],
    ["nothing without pods", "COCOAPODS: 1.12.1\n", []],
    ["nothing of another form", "PODS:\n  - A\n  - B (> 1)\nX:\n  - C (1)\n", []],
  ])("lists %s", (_, content, expected) => {
    expect(readLocked("ios/Podfile.lock", content)).toEqual(expected);
  });
});
