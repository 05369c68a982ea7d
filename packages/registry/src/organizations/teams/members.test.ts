import { describe, expect, it } from "vitest";
import { admissionToTeam } from "./members.ts";

describe("admissionToTeam", () => {
  it.each([
    { is: "a stranger", admission: "added" },
    { is: "a stranger, asked first", admission: "invited" },
    { is: "a stranger, synced", admission: "synced" },
    { is: "a stranger, synced, asked first", admission: "synced" },
    { is: "a member", admission: "added" },
    { is: "a member, asked first", admission: "added" },
    { is: "a member, synced", admission: "synced" },
    { is: "a member, synced, asked first", admission: "synced" },
    { is: "a robot of others", admission: "foreign-robot" },
    { is: "a robot of others, asked first", admission: "foreign-robot" },
    { is: "a robot of others, synced", admission: "foreign-robot" },
    { is: "a robot of others, synced, asked first", admission: "foreign-robot" },
    { is: "a robot of the organization", admission: "added" },
    { is: "a robot of the organization, asked first", admission: "added" },
    { is: "a robot of the organization, synced", admission: "added" },
    { is: "a robot of the organization, synced, asked first", admission: "added" },
  ])("says $admission for $is", ({ is, admission }) => {
    const candidate = {
      isRobot: is.includes("robot"),
      isOrganizationMember: is.includes("member") || is.includes("of the organization"),
      isSynced: is.includes("synced"),
      requiresInvite: is.includes("asked first"),
    };

    expect(admissionToTeam(candidate)).toBe(admission);
  });
});
