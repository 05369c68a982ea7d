import { describe, expect, it } from "vitest";
import type { ImageSecurity } from "../security/shown-security.ts";
import { withRaisedSeverities } from "./profile-changes.ts";

const found = (Severity: string, UpdatedBy: string) => ({ Severity, Metadata: { UpdatedBy } });

const scanned = (...vulnerabilities: readonly object[]) =>
  ({
    status: "scanned",
    data: { Layer: { Features: [{ Name: "curl", Vulnerabilities: vulnerabilities }, { Name: "none" }], Problems: [] } },
  }) as unknown as ImageSecurity;

describe("withRaisedSeverities", () => {
  it("raises the findings of Debian by one level, and no others", () => {
    const given = scanned(found("Negligible", "debian"), found("High", "debian"), found("High", "osv/npm"));

    expect(withRaisedSeverities(given)).toEqual(
      scanned(found("Low", "debian"), found("Critical", "debian"), found("High", "osv/npm")),
    );
    expect(withRaisedSeverities(given).data).toBe(withRaisedSeverities(given).data);
  });

  it("leaves an image without a report as it is", () => {
    expect(withRaisedSeverities({ status: "queued", data: null })).toEqual({ status: "queued", data: null });
  });
});
