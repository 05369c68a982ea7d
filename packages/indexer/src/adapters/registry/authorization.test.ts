import { describe, expect, it } from "vitest";
import { parseChallenges } from "./authorization.ts";

function read(header: string): unknown {
  return parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
}

describe("parseChallenges", () => {
  it.each([
    [
      'Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a/b:pull,push"',
      [
        [
          "bearer",
          { realm: "https://auth.example/token", service: "registry.example", scope: "repository:a/b:pull,push" },
        ],
      ],
    ],
    ['Basic realm="x"', [["basic", { realm: "x" }]]],
    ["Basic", [["basic", {}]]],
    [
      'basic Realm=x , BEARER realm = "y"',
      [
        ["basic", { realm: "x" }],
        ["bearer", { realm: "y" }],
      ],
    ],
    ['Bearer realm="a \\"quoted\\" \\\\ word"', [["bearer", { realm: 'a "quoted" \\ word' }]]],
    [
      'Negotiate, Bearer realm="y",error="insufficient_scope"',
      [
        ["negotiate", {}],
        ["bearer", { realm: "y", error: "insufficient_scope" }],
      ],
    ],
    ['Bearer realm="unterminated', [["bearer", {}]]],
    ['realm="without a scheme"', []],
    ["", []],
    [`Bearer realm="${"x".repeat(20_000)}"`, [["bearer", {}]]],
  ])("reads %s", (header, challenges) => {
    expect(read(header)).toEqual(challenges);
  });
});
