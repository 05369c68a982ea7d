import { describe, expect, it } from "vitest";
import { listenAddress, listenProblem } from "./listen-problem.ts";

describe("listenProblem", () => {
  const place = { host: "h.example", port: 80, setting: "port" };

  it.each([
    ["EACCES", "port: this user may not listen on port 80: choose one from 1024 on"],
    ["EADDRINUSE", "port: another program listens on h.example:80: stop it, or choose another port"],
    ["EADDRNOTAVAIL", "host: h.example is not an address of this machine"],
    ["EAFNOSUPPORT", "host: h.example is not an address of this machine"],
    ["ENOTFOUND", "host: the name h.example has no address"],
    ["EAI_AGAIN", "host: the name h.example has no address"],
  ])("%s", (code, expected) => {
    const problem = listenProblem(Object.assign(new Error(code), { code }), place);

    expect((problem as Error).message).toContain(expected);
  });

  it("leaves other errors unchanged", () => {
    const other = new Error("other");

    expect(listenProblem(other, place)).toBe(other);
  });
});

describe("listenAddress", () => {
  const lookUp = async () => ({ address: "::1" });

  it.each([
    ["localhost", "::1"],
    ["LocalHost", "::1"],
    ["127.0.0.1", "127.0.0.1"],
    ["::", "::"],
    ["registry.example", "registry.example"],
  ])("listens for %s at %s", async (host, expected) => {
    expect(await listenAddress(host, lookUp)).toBe(expected);
  });
});
