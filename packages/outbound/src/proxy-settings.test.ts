import { describe, expect, it } from "vitest";
import { isDirect } from "./proxy-settings.ts";

describe("isDirect", () => {
  it.each<readonly [noProxy: string | undefined, hostname: string, port: number, direct: boolean]>([
    [undefined, "git.example", 443, false],
    ["", "git.example", 443, false],
    ["git.example", "git.example", 443, true],
    ["GIT.example", "git.EXAMPLE", 443, true],
    ["example.com", "git.example.com", 443, true],
    ["example.com", "badexample.com", 443, false],
    [".example.com", "example.com", 443, true],
    ["*.example.com", "git.example.com", 443, true],
    ["*.example.com", "example.com", 443, false],
    ["git.example:8443", "git.example", 8443, true],
    ["git.example:8443", "git.example", 443, false],
    ["a.example , git.example", "git.example", 443, true],
    ["a.example git.example", "git.example", 443, true],
    ["*", "git.example", 443, true],
    ["*:80", "git.example", 443, false],
    ["10.0.0.1", "10.0.0.1", 443, true],
  ])("with %s, %s:%i is %s", (noProxy, hostname, port, direct) => {
    expect(isDirect({ hostname, port }, noProxy)).toBe(direct);
  });
});
