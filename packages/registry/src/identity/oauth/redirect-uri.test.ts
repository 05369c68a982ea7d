import { describe, expect, it } from "vitest";
import { addToRedirect, isAllowedRedirect } from "./redirect-uri.ts";

const exact = { ownPage: "https://registry.example.com/oauth/localapp", compatibility: "contract" } as const;
const settings = { ...exact, compatibility: "reference" } as const;

describe("isAllowedRedirect", () => {
  it.each([
    ["https://registry.example.com/oauth/localapp", ""],
    ["https://registry.example.com/oauth/localapp", "https://app.example.com/back"],
    ["https://app.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com", "https://app.example.com"],
    ["https://app.example.com/back?x=1", "https://app.example.com/back?x=1"],
    ["http://localhost:8080/back", "http://localhost:8080/back"],
  ])("allows exactly what is registered: %s for %s", (given, registered) => {
    expect(isAllowedRedirect(given, registered, exact)).toBe(true);
  });

  it.each([
    ["https://app.example.com/back?x=1", "https://app.example.com/back"],
    ["https://app.example.com/back/", "https://app.example.com/back"],
    ["https://app.example.com/back/deeper", "https://app.example.com/back"],
    ["https://app.example.com/back-again", "https://app.example.com/back"],
    ["https://app.example.com/", "https://app.example.com"],
    ["https://app.example.com:443/back", "https://app.example.com/back"],
    ["HTTPS://APP.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com/%62ack", "https://app.example.com/back"],
    ["https://app.example.com/a/../back", "https://app.example.com/a/../back"],
    ["javascript:alert(1)", "javascript:alert(1)"],
    ["https://user@app.example.com/back", "https://user@app.example.com/back"],
    ["", ""],
  ])("refuses %s where %s is registered", (given, registered) => {
    expect(isAllowedRedirect(given, registered, exact)).toBe(false);
  });

  it.each([
    ["https://registry.example.com/oauth/localapp", ""],
    ["https://registry.example.com/oauth/localapp", "https://app.example.com/back"],
    ["https://app.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com/back?x=1", "https://app.example.com/back"],
    ["https://app.example.com/back/deeper", "https://app.example.com/back"],
    ["https://app.example.com/back-again", "https://app.example.com/back"],
    ["https://app.example.com/anything", "https://app.example.com"],
    ["https://app.example.com:443/back", "https://app.example.com/back"],
    ["HTTPS://APP.example.com/back", "https://app.example.com/back"],
    ["http://localhost:8080/back", "http://localhost:8080/back"],
    ["https://app.example.com/a%20b/c", "https://app.example.com/a%20b"],
    ["https://app.example.com/v1.0/back", "https://app.example.com/"],
  ])("allows %s below %s in the reference profile", (given, registered) => {
    expect(isAllowedRedirect(given, registered, settings)).toBe(true);
  });

  it.each([
    ["https://app.example.com/back", ""],
    ["", ""],
    ["", "https://app.example.com/back"],
    ["https://registry.example.com/oauth/localapp?x=1", ""],
    ["https://registry.example.com/oauth/localapp/", ""],
    ["http://app.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com:8443/back", "https://app.example.com/back"],
    ["https://app.example.com.evil.example/back", "https://app.example.com/back"],
    ["https://evil.example/back", "https://app.example.com/back"],
    ["https://app.example.com/", "https://app.example.com/back"],
    ["https://app.example.com/Back", "https://app.example.com/back"],
    ["https://app.example.com@evil.example/back", "https://app.example.com/back"],
    ["https://app.example.com:443@evil.example/back", "https://app.example.com/back"],
    ["https://user@app.example.com/back", "https://app.example.com/back"],
    ["https://@app.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com/back/@evil.example", "https://app.example.com/back"],
    ["https://app.example.com/back/../other", "https://app.example.com/back"],
    ["https://app.example.com/back/..", "https://app.example.com/back"],
    ["https://app.example.com/back..", "https://app.example.com/back"],
    ["https://app.example.com/back/%2e%2e/other", "https://app.example.com/back"],
    ["https://app.example.com/back/.%2E/other", "https://app.example.com/back"],
    ["https://app.example.com/back/%252e%252e/other", "https://app.example.com/back"],
    ["https://app.example.com/x/../back", "https://app.example.com/back"],
    ["https://app.example.com/back%2fother", "https://app.example.com/back"],
    ["https://app.example.com/back#fragment", "https://app.example.com/back"],
    ["https://app.example.com\\@evil.example/back", "https://app.example.com/back"],
    ["https:\\\\app.example.com/back", "https://app.example.com/back"],
    ["https:/app.example.com/back", "https://app.example.com/back"],
    ["https:app.example.com/back", "https://app.example.com/back"],
    ["https:///app.example.com/back", "https://app.example.com/back"],
    ["//app.example.com/back", "https://app.example.com/back"],
    ["/back", "https://app.example.com/back"],
    [" https://app.example.com/back", "https://app.example.com/back"],
    ["https://app.example.com/back\nx", "https://app.example.com/back"],
    ["https://app.exa\tmple.com/back", "https://app.example.com/back"],
    ["javascript:alert(1)", "javascript:alert(1)"],
    ["data:text/html,x", "data:text/html,x"],
    ["app://back", "app://back"],
  ])("refuses %s in both profiles where %s is registered", (given, registered) => {
    expect(isAllowedRedirect(given, registered, settings)).toBe(false);
    expect(isAllowedRedirect(given, registered, exact)).toBe(false);
  });
});

describe("addToRedirect", () => {
  it("keeps the query that is there and escapes what is added", () => {
    expect(addToRedirect("https://a.example/b?x=1", { state: "a&b #", scope: undefined }, { access_token: "T" })).toBe(
      "https://a.example/b?x=1&state=a%26b+%23#access_token=T",
    );
  });
});
