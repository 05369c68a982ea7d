import { describe, expect, it } from "vitest";
import type { LogRow } from "./queries/usage-log.ts";
import { logEntryView } from "./views.ts";

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
    ["login_failure", { username: "carl" }, undefined],
    ["org_delete", {}, undefined],
  ])("shows of %s %o what it is about, though that is deleted", (kind, metadata, namespace) => {
    const entry = logEntryView(row(kind, metadata));
    expect(entry).toMatchObject({ kind, metadata });
    if (namespace === undefined) expect(entry).not.toHaveProperty("namespace");
    else expect(entry).toMatchObject({ namespace });
  });
});
