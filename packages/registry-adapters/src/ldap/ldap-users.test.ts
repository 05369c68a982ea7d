import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../core/src/fixtures/any-character.ts";
import { anyOf, fillFilter, wildcardFilter } from "./ldap-users.ts";

describe("fillFilter", () => {
  it.each([
    { login: "alice", filter: "(uid=alice)" },
    { login: "*", filter: "(uid=\\2a)" },
    { login: "a)(uid=*", filter: "(uid=a\\29\\28uid=\\2a)" },
    { login: "a\\", filter: "(uid=a\\5c)" },
    { login: "a\0", filter: "(uid=a\\00)" },
    { login: "$&", filter: "(uid=$&)" },
    { login: "{login}", filter: "(uid={login})" },
    { login: "zoë", filter: "(uid=zoë)" },
  ])("writes $login as $filter", ({ login, filter }) => {
    expect(fillFilter("(uid={login})", login)).toBe(filter);
  });

  it("escapes every special character of a login", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (login) => {
        const filled = fillFilter("{login}", login);

        expect(filled).not.toMatch(/[*()\0]/);
        expect(
          filled.replace(/\\([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        ).toBe(login);
      }),
    );
  });
});

describe("wildcardFilter", () => {
  it.each([
    { template: "(&(uid={login})(sn=D))", filter: "(&(uid=*)(sn=D))" },
    { template: "(|(uid={login})(mail={login}@example.com))", filter: "(|(uid=*)(mail=*@example.com))" },
    { template: "(mail=*{login}*)", filter: "(mail=*)" },
    { template: "(cn=a\\2a{login})", filter: "(cn=a\\2a*)" },
  ])("writes $template as $filter", ({ template, filter }) => {
    expect(wildcardFilter(template)).toBe(filter);
  });
});

describe("anyOf", () => {
  it("escapes each value", () => {
    expect(anyOf("uid", ["ann", "b*", "c)(uid=*"])).toBe("(|(uid=ann)(uid=b\\2a)(uid=c\\29\\28uid=\\2a))");
  });
});
