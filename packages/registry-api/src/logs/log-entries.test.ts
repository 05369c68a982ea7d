import type { LogRow } from "@plimsoll/registry/logs/queries/usage-log";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { logEntryView } from "./log-entries.ts";

const row = (kind: string, metadata: object): LogRow => ({
  id: 1,
  kind,
  metadata: JSON.stringify(metadata),
  ip: null,
  at: 0,
  performer_name: null,
  performer_email: null,
  namespace_name: null,
  namespace_kind: null,
  namespace_email: null,
});

describe("logEntryView", () => {
  it.each([
    ["user_create", { username: "carl", email: null }, { kind: "user", name: "carl" }],
    ["user_delete", { username: "carl" }, { kind: "user", name: "carl" }],
    ["org_delete", { namespace: "acme" }, { kind: "org", name: "acme" }],
    ["login_failure", { username: "carl" }, { kind: "registry", name: "" }],
    ["org_delete", {}, { kind: "registry", name: "" }],
  ])("shows of %s %o what it is about, though that is deleted", (kind, metadata, namespace) => {
    const entry = logEntryView(row(kind, metadata));
    expect(entry).toMatchObject({ kind, metadata });
    expect(entry).toMatchObject({ namespace });
  });

  it("has a text as ip and an object as performer, also in the entry of a job", () => {
    const avatar = avatarOf("user", "");
    expect(logEntryView(row("delete_tag", { performer: "autoprune worker" }))).toMatchObject({
      ip: "",
      performer: { kind: "anonymous", name: "", is_robot: false, avatar },
    });
  });
});
