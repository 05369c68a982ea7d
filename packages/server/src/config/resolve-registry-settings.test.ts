import { describe, expect, it } from "vitest";
import { isOneFilter } from "./resolve-registry-settings.ts";

describe("isOneFilter", () => {
  it.each([
    { filter: "(uid={login})", isOne: true },
    { filter: "(&(uid={login})(|(sn=C)(sn=D)))", isOne: true },
    { filter: "(cn=a\\28b)", isOne: true },
    { filter: "uid={login}", isOne: false },
    { filter: "(sn=C", isOne: false },
    { filter: "(sn=C))", isOne: false },
    { filter: "(sn=C)(sn=D)", isOne: false },
    { filter: "(sn=C) ", isOne: false },
    { filter: "", isOne: false },
  ])("says of $filter: $isOne", ({ filter, isOne }) => {
    expect(isOneFilter(filter)).toBe(isOne);
  });
});
