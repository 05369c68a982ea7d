import { describe, expect, it } from "vitest";
import { type AdminLoss, judgeAdminLoss } from "./last-admin.ts";

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
