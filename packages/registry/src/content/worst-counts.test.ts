import { describe, expect, it } from "vitest";
import type { StoredCounts } from "./queries/finding-counts.ts";
import { worstOf } from "./worst-counts.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, exploited: 0 };
const counted: StoredCounts = { ...none, is_partial: 0, data_state: "current", counted_at: 1 };

describe("worstOf", () => {
  it.each<[string, Partial<StoredCounts>, Partial<StoredCounts>]>([
    ["more of the worst severity", { critical: 1 }, { high: 9, exploited: 9 }],
    ["what is exploited, of equal severities", { high: 1, exploited: 1 }, { high: 1, fixable: 1 }],
    ["what can be fixed, of equal ones", { high: 1, fixable: 1 }, { high: 1 }],
  ])("takes the image with %s, whatever the order", (_, worse, other) => {
    const images = [worse, other].map((each) => ({ ...counted, ...each }));

    expect(worstOf(images)).toEqual(images[0]);
    expect(worstOf(images.toReversed())).toEqual(images[0]);
  });
});
