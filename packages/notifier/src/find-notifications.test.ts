import type { Severity } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import type { NotificationMode } from "./find-notifications.ts";
import { type AffectedChange, findAll } from "./fixtures/changes.ts";
import { vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { summarize } from "./values/notification.ts";

const [one, two] = ["sha256:1", "sha256:2"];

function change(name: string, severity: Severity, manifests: readonly string[], more: object = {}): AffectedChange {
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
      added: [change("A", "Low", [two, one])],
      removed: [],
      full: ["sha256:1 added A Low", "sha256:2 added A Low"],
      summary: ["sha256:1 added A Low", "sha256:2 added A Low"],
    },
    {
      story: "several were added: the worst is the summary",
      added: [change("A", "Low", [one]), change("B", "Critical", [one]), change("C", "Unknown", [one])],
      removed: [],
      full: ["sha256:1 added B Critical", "sha256:1 added A Low", "sha256:1 added C Unknown"],
      summary: ["sha256:1 added B Critical"],
    },
    {
      story: "equally bad ones: the first by name is the summary",
      added: [change("B", "High", [one]), change("A", "High", [one])],
      removed: [],
      full: ["sha256:1 added A High", "sha256:1 added B High"],
      summary: ["sha256:1 added A High"],
    },
    {
      story: "added and removed: a summary for each",
      added: [change("A", "Low", [one])],
      removed: [change("B", "High", [one]), change("C", "Low", [two])],
      full: ["sha256:1 added A Low", "sha256:1 removed B High", "sha256:2 removed C Low"],
      summary: ["sha256:1 added A Low", "sha256:1 removed B High", "sha256:2 removed C Low"],
    },
    {
      story: "one changed in nothing that is shown: only where it came to apply, or ceased to",
      added: [change("A", "Low", [one, two])],
      removed: [change("A", "Low", [two, "sha256:3"])],
      full: ["sha256:1 added A Low", "sha256:3 removed A Low"],
      summary: ["sha256:1 added A Low", "sha256:3 removed A Low"],
    },
    {
      story: "one became worse: both are told",
      added: [change("A", "Critical", [one])],
      removed: [change("A", "Low", [one])],
      full: ["sha256:1 added A Critical", "sha256:1 removed A Low"],
      summary: ["sha256:1 added A Critical", "sha256:1 removed A Low"],
    },
    {
      story: "two statements that read the same: told once",
      added: [change("A", "Low", [one]), change("A", "Low", [one])],
      removed: [],
      full: ["sha256:1 added A Low"],
      summary: ["sha256:1 added A Low"],
    },
    {
      story: "an odd severity counts as Unknown",
      added: [change("A", "Catastrophic" as Severity, [one]), change("B", "Negligible", [one])],
      removed: [],
      full: ["sha256:1 added B Negligible", "sha256:1 added A Catastrophic"],
      summary: ["sha256:1 added B Negligible"],
    },
  ])("tells when $story", ({ added, removed, full, summary }) => {
    expect(told(added, removed, "full")).toEqual(full);
    expect(told(added, removed, "summary")).toEqual(summary);
  });
});
