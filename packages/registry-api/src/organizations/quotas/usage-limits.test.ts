import { findUsageLimits, severityOf } from "@plimsoll/registry/organizations/quotas/usage-limits";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

describe("findUsageLimits", () => {
  const reject = { type: "Reject", fromBytes: 90 } as const;
  it.each([
    { title: "nothing", limits: [] },
    { title: "the default", defaultQuotaBytes: 50, limits: [{ type: "Reject", fromBytes: 50 }] },
    { title: "a quota without limits and no default", quotaBytes: 100, limits: [] },
    {
      title: "a quota without limits where there is a default",
      quotaBytes: 100,
      defaultQuotaBytes: 50,
      limits: [{ type: "Reject", fromBytes: 100 }],
    },
    { title: "a quota with limits", quotaBytes: 100, percent: 90, limits: [reject] },
    {
      title: "a quota with limits and a default",
      quotaBytes: 100,
      percent: 90,
      defaultQuotaBytes: 50,
      limits: [reject],
    },
  ])("finds the limits of $title", async ({ quotaBytes, defaultQuotaBytes, percent, limits }) => {
    const settings = defaultQuotaBytes === undefined ? {} : { defaultQuotaBytes };
    await using registry = await openTestRegistry({ settings });
    const { id } = await registry.user("alice");
    const { db } = registry.store;
    if (quotaBytes !== undefined) {
      const quota = { namespace_id: id, limit_bytes: quotaBytes };
      const row = await db.insertInto("quota").values(quota).returning("id").executeTakeFirstOrThrow();
      const limit = { quota_id: row.id, type: "Reject", threshold_percent: percent ?? 0 } as const;
      if (percent !== undefined) await db.insertInto("quota_limit").values(limit).execute();
    }

    expect(await findUsageLimits(db, registry.settings, id)).toEqual(limits);
  });
});

describe("severityOf", () => {
  const limits = [
    { type: "Reject", fromBytes: 80 },
    { type: "Warning", fromBytes: 50 },
    { type: "Warning", fromBytes: 100 },
    { type: "Reject", fromBytes: 200 },
    { type: "Warning", fromBytes: 200 },
  ] as const;

  it.each([
    [49, undefined],
    [50, "Warning"],
    [79, "Warning"],
    [80, "Reject"],
    [100, "Warning"],
    [200, "Reject"],
  ])("says to %i bytes %s: the highest that is reached decides", (sizeBytes, severity) => {
    expect(severityOf(limits, sizeBytes)).toBe(severity);
  });
});
