import { isAllowedRedirect } from "@plimsoll/registry/identity/oauth/redirect-uri";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { openTokenService } from "../fixtures/test-tokens.ts";
import { DistributionError } from "./distribution-error.ts";
import { parseTokenScopes, repositoryOfScope } from "./token-scopes.ts";

const pieces = [
  "Basic ",
  "Bearer ",
  "bearer",
  "$app:",
  "$oauthtoken:",
  "$token:",
  "a+b:",
  "eyJhbGciOiJub25lIn0.",
  ".",
  ":",
  "=",
  "\u0000",
  "é",
];

describe("createRegistryAuth", () => {
  it("answers whatever is in the Authorization header with a caller or a refusal", async () => {
    await using registry = await openTestRegistry();
    await using service = openTokenService(registry);
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 6 })
      .map((parts) => parts.join(""));
    const basic = text.map((inner) => `Basic ${Buffer.from(inner.replace(/^[^$+]*:/, "$app:")).toString("base64")}`);

    await fc.assert(
      fc.asyncProperty(fc.oneof(text, basic), async (authorization) => {
        registry.time.now += 300_000; // the longest wait after wrong guesses
        await expect(service.auth.identify({ authorization })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      }),
      { numRuns: 300 },
    );
  });
});

describe("parseTokenScopes", () => {
  it("reads any text, or refuses it by the protocol", () => {
    const scope = fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom("repository", "registry", ""),
          fc.string(),
          fc.constantFrom("pull", "push,pull", "*", ""),
        )
        .map((parts) => parts.join(":")),
    );

    fc.assert(
      fc.property(scope, (text) => {
        try {
          for (const { name } of parseTokenScopes([text])) repositoryOfScope(name, "localhost");
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(DistributionError);
        }
      }),
    );
  });
});

describe("isAllowedRedirect", () => {
  const registered = "https://app.example.com/back";
  const rule = { ownPage: "https://registry.example.com/oauth/localapp", compatibility: "reference" } as const;

  it("never allows what a browser would take elsewhere", () => {
    const parts = [
      "https://",
      "app.example.com",
      "/back",
      "/",
      "\\",
      "@",
      "evil.example",
      "..",
      "%2e",
      "#",
      "?",
      ":",
      "//",
      "\t",
      "x",
    ];
    const address = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((chosen) => chosen.join(""));

    fc.assert(
      fc.property(
        fc.oneof(
          address,
          address.map((rest) => registered + rest),
        ),
        (given) => {
          fc.pre(isAllowedRedirect(given, registered, rule));
          const url = new URL(given);
          expect([url.origin, url.username, url.hash]).toEqual(["https://app.example.com", "", ""]);
          expect(url.pathname.startsWith("/back")).toBe(true);
        },
      ),
      { numRuns: 2000, maxSkipsPerRun: 1000 },
    );
  });
});
