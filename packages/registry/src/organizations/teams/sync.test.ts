import { describe, expect, it } from "vitest";
import { membershipChanges } from "./sync.ts";

describe("membershipChanges", () => {
  it.each([
    { members: "", group: "ann bob", join: "ann bob", leave: "" },
    { members: "ann", group: "ann bob", join: "bob", leave: "" },
    { members: "ann bob", group: "bob", join: "", leave: "ann" },
    { members: "ann", group: "bob", join: "bob", leave: "ann" },
    { members: "ann", group: "Ann ANN", join: "", leave: "" },
    { members: "", group: "Bob bob", join: "bob", leave: "" },
    { members: "kim", group: "\u212aim", join: "\u212aim", leave: "kim" }, // the Kelvin sign, whose lower case is k
    { members: "ann", group: "", join: "", leave: "ann" },
  ])("makes '$group' of '$members'", ({ members, group, join, leave }) => {
    const names = (text: string) => text.split(" ").filter(Boolean);
    const present = names(members).map((username) => ({ id: `id of ${username}`, username }));

    const changes = membershipChanges(present, names(group));

    expect(changes.join.join(" ")).toBe(join);
    expect(changes.leave.map(({ username }) => username).join(" ")).toBe(leave);
  });
});
