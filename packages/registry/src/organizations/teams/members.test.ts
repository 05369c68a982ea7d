import { describe, expect, it } from "vitest";
import { type AdminLoss, admissionToTeam, judgeAdminLoss } from "./members.ts";

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

/** `team:account`, separated by spaces. */
function parseMemberships(text: string) {
  return text.split(" ").flatMap((each) => {
    const [teamId, accountId] = each.split(":");
    return teamId && accountId ? [{ teamId, accountId }] : [];
  });
}

/** `team:`, `team:account` or `:account`. */
function parseLoss(text: string): AdminLoss {
  const [teamId = "", accountId = ""] = text.split(":");
  if (teamId === "") return { accountId };
  return accountId === "" ? { teamId } : { teamId, accountId };
}

describe("judgeAdminLoss", () => {
  it.each([
    { memberships: "owners:ann", loss: "owners:", caller: "ann", verdict: "no-admin" },
    { memberships: "owners:ann", loss: "owners:ann", caller: "ann", verdict: "no-admin" },
    { memberships: "owners:ann", loss: ":ann", caller: "root", verdict: "no-admin" },
    { memberships: "owners:ann", loss: ":bob", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann", loss: "owners:bob", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann", loss: "other:", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann owners:bob", loss: "owners:ann", caller: "ann", verdict: "not-the-caller" },
    { memberships: "owners:ann owners:bob", loss: "owners:bob", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann owners:bob", loss: ":bob", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann owners:bob", loss: "owners:", caller: "ann", verdict: "no-admin" },
    { memberships: "owners:ann chiefs:ann", loss: "owners:ann", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann chiefs:ann", loss: "owners:", caller: "ann", verdict: "enough" },
    { memberships: "owners:ann chiefs:ann", loss: ":ann", caller: "root", verdict: "no-admin" },
    { memberships: "owners:ann chiefs:bob", loss: "owners:", caller: "ann", verdict: "not-the-caller" },
    { memberships: "owners:ann chiefs:bob", loss: "owners:", caller: "bob", verdict: "enough" },
    { memberships: "owners:ann chiefs:bob", loss: "owners:", caller: "root", verdict: "enough" },
    { memberships: "", loss: "owners:", caller: "root", verdict: "enough" },
    { memberships: "", loss: ":ann", caller: "root", verdict: "enough" },
  ])("leaves $verdict of '$memberships' when $caller takes $loss away", ({ memberships, loss, caller, verdict }) => {
    expect(judgeAdminLoss(parseMemberships(memberships), parseLoss(loss), caller)).toBe(verdict);
  });
});
