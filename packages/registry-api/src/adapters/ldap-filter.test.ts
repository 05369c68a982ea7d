import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../core/src/fixtures/any-character.ts";
import { fillFilter } from "./ldap-filter.ts";

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

  it("leaves no character of a login that means something in a filter", () => {
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
