import { anyone, onSelf, superusers, visitors } from "@plimsoll/registry/access/on-account";
import type { Scope } from "@plimsoll/registry/access/scopes";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { accessProbes, probe } from "./fixtures/access-probes.ts";

const operations = [
  ...accessProbes("/x", { "self-admin": onSelf(), "self-read": onSelf("user:read") }),
  ...accessProbes("/x", { superusers }),
  ...accessProbes("/x", { anyone, visitors }),
];
const names = ["anyone", "visitors", "self-read", "self-admin", "superusers"];

describe("onSelf, superusers, anyone, visitors", () => {
  const rows: readonly { readonly who: string; readonly held?: Scope; readonly statuses: string }[] = [
    { who: "anonymous", statuses: "200 200 401 401 401 | 200 200 401 401 401" },
    { who: "ann", statuses: "200 200 200 200 403 | 200 200 200 200 403" },
    { who: "ann", held: "repo:admin", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "ann", held: "repo:read", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "ann", held: "repo:write", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "ann", held: "repo:create", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "ann", held: "org:admin", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "ann", held: "user:read", statuses: "200 200 200 403 403 | 200 200 200 403 403" },
    { who: "ann", held: "user:admin", statuses: "200 200 200 200 403 | 200 200 200 200 403" },
    { who: "ann", held: "super:user", statuses: "200 200 403 403 403 | 200 200 403 403 403" },
    { who: "root", statuses: "200 200 200 200 200 | 200 200 200 200 200" },
    { who: "root", held: "super:user", statuses: "200 200 403 403 200 | 200 200 403 403 200" },
    { who: "root", held: "user:admin", statuses: "200 200 200 200 403 | 200 200 200 200 403" },
    { who: "auditor", statuses: "200 200 200 200 200 | 200 200 200 200 403" },
    { who: "auditor", held: "super:user", statuses: "200 200 403 403 200 | 200 200 403 403 403" },
    { who: "auditor", held: "user:admin", statuses: "200 200 200 200 403 | 200 200 200 200 403" },
  ];
  it.each(rows)("answer $who (token: $held) with $statuses", async ({ who, held, statuses }) => {
    await using registry = await openTestRegistry({ operations });
    const account = await registry.user(who);
    const signedIn = held === undefined ? await registry.session(account) : await registry.token(account, held);

    expect(await probe(who === "anonymous" ? registry.anonymous : signedIn, "/x", names)).toBe(statuses);
  });

  it("admit anonymous requests only to operations that are always public, where anonymous access is off", async () => {
    await using registry = await openTestRegistry({ operations, features: { anonymousAccess: false } });

    expect(await probe(registry.anonymous, "/x", names)).toBe("200 401 401 401 401 | 200 401 401 401 401");
  });

  it("answer 404 for superusers' operations where the feature is off", async () => {
    await using registry = await openTestRegistry({ operations, features: { superusers: false } });
    const root = await registry.session(await registry.user("root"));

    expect(await probe(root, "/x", names)).toBe("200 200 200 200 404 | 200 200 200 200 404");
  });
});
