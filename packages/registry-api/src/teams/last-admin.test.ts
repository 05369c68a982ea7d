import { describe, expect, it } from "vitest";
import { type AdminLoss, judgeAdminLoss } from "./last-admin.ts";

/** `team:account`, separated by spaces. */
function parseTies(text: string) {
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
    { ties: "owners:ann", loss: "owners:", caller: "ann", verdict: "no-admin" },
    { ties: "owners:ann", loss: "owners:ann", caller: "ann", verdict: "no-admin" },
    { ties: "owners:ann", loss: ":ann", caller: "root", verdict: "no-admin" },
    { ties: "owners:ann", loss: ":bob", caller: "ann", verdict: "enough" },
    { ties: "owners:ann", loss: "owners:bob", caller: "ann", verdict: "enough" },
    { ties: "owners:ann", loss: "other:", caller: "ann", verdict: "enough" },
    { ties: "owners:ann owners:bob", loss: "owners:ann", caller: "ann", verdict: "not-the-caller" },
    { ties: "owners:ann owners:bob", loss: "owners:bob", caller: "ann", verdict: "enough" },
    { ties: "owners:ann owners:bob", loss: ":bob", caller: "ann", verdict: "enough" },
    { ties: "owners:ann owners:bob", loss: "owners:", caller: "ann", verdict: "no-admin" },
    { ties: "owners:ann chiefs:ann", loss: "owners:ann", caller: "ann", verdict: "enough" },
    { ties: "owners:ann chiefs:ann", loss: "owners:", caller: "ann", verdict: "enough" },
    { ties: "owners:ann chiefs:ann", loss: ":ann", caller: "root", verdict: "no-admin" },
    { ties: "owners:ann chiefs:bob", loss: "owners:", caller: "ann", verdict: "not-the-caller" },
    { ties: "owners:ann chiefs:bob", loss: "owners:", caller: "bob", verdict: "enough" },
    { ties: "owners:ann chiefs:bob", loss: "owners:", caller: "root", verdict: "enough" },
    { ties: "", loss: "owners:", caller: "root", verdict: "enough" },
    { ties: "", loss: ":ann", caller: "root", verdict: "enough" },
  ])("leaves $verdict of '$ties' when $caller takes $loss away", ({ ties, loss, caller, verdict }) => {
    expect(judgeAdminLoss(parseTies(ties), parseLoss(loss), caller)).toBe(verdict);
  });
});
