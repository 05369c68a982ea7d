import { describe, expect, it } from "vitest";
import { pruneRules, tagJudge } from "./tag-judge.ts";

const day = 86_400_000;
const now = 1000 * day;

interface Policy {
  readonly value: number | string;
  readonly pattern?: string;
  readonly matches?: boolean;
}

/** The names of tags that go, of tags that are so many days old. */
function gone(policies: readonly Policy[], tags: Readonly<Record<string, number>>): readonly string[] {
  const rows = policies.map(({ value, pattern = null, matches = true }, index) => ({
    ...{ id: `p${index}`, namespace_id: "n", repository_id: null, created_at: index },
    method: typeof value === "number" ? ("number_of_tags" as const) : ("creation_date" as const),
    ...{
      value: JSON.stringify(value),
      tag_pattern: pattern,
      tag_pattern_matches: matches ? (1 as const) : (0 as const),
    },
  }));
  const judge = tagJudge(pruneRules(rows), now);
  const newestFirst = Object.entries(tags).sort(([, one], [, other]) => one - other);
  return newestFirst
    .filter(([name, days]) => judge({ name, start_at: now - days * day }).deleted)
    .map(([name]) => name);
}

const tags = { v4: 1, dev2: 2, v3: 3, dev1: 4, v2: 5, v1: 6 };

describe("tagJudge", () => {
  it.each([
    { policies: [], deleted: [] },
    { policies: [{ value: 2 }], deleted: ["v3", "dev1", "v2", "v1"] },
    { policies: [{ value: 2, pattern: "^v" }], deleted: ["v2", "v1"] },
    { policies: [{ value: 1, pattern: "^v", matches: false }], deleted: ["dev1"] },
    { policies: [{ value: "4d" }], deleted: ["v2", "v1"] },
    { policies: [{ value: "2d", pattern: "dev" }], deleted: ["dev1"] },
    { policies: [{ value: "2d", pattern: "dev", matches: false }], deleted: ["v3", "v2", "v1"] },
    // What goes by its age does not count for a policy by number, whichever is older.
    { policies: [{ value: 3 }, { value: "1d", pattern: "dev" }], deleted: ["dev2", "dev1", "v1"] },
    // What goes by one policy by number does not count for the next.
    { policies: [{ value: 1, pattern: "^v" }, { value: 2 }], deleted: ["v3", "dev1", "v2", "v1"] },
    { policies: [{ value: 1, pattern: "^dev" }, { value: 3 }], deleted: ["dev1", "v2", "v1"] },
    // A policy whose pattern cannot be used, since an older version stored it, removes nothing, nor what it does not match.
    { policies: [{ value: 1, pattern: "(v{0,30}){0,30}x" }, { value: 4 }], deleted: ["v2", "v1"] },
    { policies: [{ value: 1, pattern: "(v{0,30}){0,30}x", matches: false }], deleted: [] },
    { policies: [{ value: "0s", pattern: "(" }], deleted: [] },
    { policies: [{ value: "0s" }], deleted: ["v4", "dev2", "v3", "dev1", "v2", "v1"] },
  ])("of $policies deletes $deleted", ({ policies, deleted }) => {
    expect(gone(policies, tags)).toEqual(deleted);
  });
});
