import type { Severity } from "@plimsoll/core/severity";
import { describe, expect, it } from "vitest";
import type { NotificationMode } from "./find-notifications.ts";
import { type AffectedChange, findAll } from "./fixtures/changes.ts";
import { vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { summarize } from "./values/notification.ts";

const [one, two] = ["sha256:1", "sha256:2"];

function change(
  name: string,
  severity: Severity,
  { manifests, more = {} }: { readonly manifests: readonly string[]; readonly more?: object },
): AffectedChange {
  const vulnerability = vulnerabilityOf(name, "expat", { normalized_severity: severity, ...more });
  return { vulnerability: summarize(vulnerability), manifests };
}

/** `manifest reason name severity` of each notification. */
function told(added: readonly AffectedChange[], removed: readonly AffectedChange[], mode: NotificationMode): string[] {
  return findAll({ added, removed }, mode).map(
    ({ manifest, reason, vulnerability }) =>
      `${manifest} ${reason} ${vulnerability.name} ${vulnerability.normalized_severity}`,
  );
}

describe("notificationFinder", () => {
  it.each([
    { story: "nothing changed", added: [], removed: [], full: [], summary: [] },
    {
      story: "one was added",
      added: [change("A", "Low", { manifests: [two, one] })],
      removed: [],
      full: ["sha256:1 added A Low", "sha256:2 added A Low"],
      summary: ["sha256:1 added A Low", "sha256:2 added A Low"],
    },
    {
      story: "several were added: the worst is the summary",
      added: [
        change("A", "Low", { manifests: [one] }),
        change("B", "Critical", { manifests: [one] }),
        change("C", "Unknown", { manifests: [one] }),
      ],
      removed: [],
      full: ["sha256:1 added B Critical", "sha256:1 added A Low", "sha256:1 added C Unknown"],
      summary: ["sha256:1 added B Critical"],
    },
    {
      story: "equally bad ones: the first by name is the summary",
      added: [change("B", "High", { manifests: [one] }), change("A", "High", { manifests: [one] })],
      removed: [],
      full: ["sha256:1 added A High", "sha256:1 added B High"],
      summary: ["sha256:1 added A High"],
    },
    {
      story: "added and removed: a summary for each",
      added: [change("A", "Low", { manifests: [one] })],
      removed: [change("B", "High", { manifests: [one] }), change("C", "Low", { manifests: [two] })],
      full: ["sha256:1 added A Low", "sha256:1 removed B High", "sha256:2 removed C Low"],
      summary: ["sha256:1 added A Low", "sha256:1 removed B High", "sha256:2 removed C Low"],
    },
    {
      story: "one changed in nothing that is shown: only where it came to apply, or ceased to",
      added: [change("A", "Low", { manifests: [one, two] })],
      removed: [change("A", "Low", { manifests: [two, "sha256:3"] })],
      full: ["sha256:1 added A Low", "sha256:3 removed A Low"],
      summary: ["sha256:1 added A Low", "sha256:3 removed A Low"],
    },
    {
      story: "one became worse: both are told",
      added: [change("A", "Critical", { manifests: [one] })],
      removed: [change("A", "Low", { manifests: [one] })],
      full: ["sha256:1 added A Critical", "sha256:1 removed A Low"],
      summary: ["sha256:1 added A Critical", "sha256:1 removed A Low"],
    },
    {
      story: "two statements that read the same: told once",
      added: [change("A", "Low", { manifests: [one] }), change("A", "Low", { manifests: [one] })],
      removed: [],
      full: ["sha256:1 added A Low"],
      summary: ["sha256:1 added A Low"],
    },
    {
      story: "an odd severity counts as Unknown",
      added: [
        change("A", "Catastrophic" as Severity, { manifests: [one] }),
        change("B", "Negligible", { manifests: [one] }),
      ],
      removed: [],
      full: ["sha256:1 added B Negligible", "sha256:1 added A Catastrophic"],
      summary: ["sha256:1 added B Negligible"],
    },
  ])("tells when $story", ({ added, removed, full, summary }) => {
    expect(told(added, removed, "full")).toEqual(full);
    expect(told(added, removed, "summary")).toEqual(summary);
  });
});
