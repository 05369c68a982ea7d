import type { UpdateEvent } from "@plimsoll/scanner";
import { describe, expect, it } from "vitest";
import { createProgress } from "../cli/progress.ts";
import { chosenText, updateProgress } from "./update-progress.ts";

const steps: readonly UpdateEvent[] = [
  { kind: "started", updater: "debian" },
  { kind: "downloading", updater: "debian", document: "a", bytes: 12_000_000, totalBytes: 60_000_000 },
  { kind: "downloading", updater: "debian", document: "b", bytes: 1_000_000 },
  { kind: "progress", updater: "debian", items: 2_000 },
  { kind: "storing", updater: "debian", steps: 1 },
  { kind: "ended", result: { updater: "debian", kind: "unchanged" } },
];

/** The output when this much time passes with each event. */
function written(options: { readonly isTTY: boolean; readonly quiet?: boolean; readonly stepMs: number }): string[] {
  const { isTTY, quiet = false, stepMs } = options;
  const parts: string[] = [];
  const stderr = { isTTY, columns: 60, write: (text: string) => parts.push(text) > 0 };
  let at = 0;
  const onEvent = updateProgress({
    progress: createProgress(stderr, { quiet, verbose: false }),
    now: () => at,
    isTerminal: isTTY,
  });
  for (const step of steps) {
    at += stepMs;
    onEvent(step);
  }
  return parts;
}

const texts = [
  "debian requesting",
  "debian 12 MB of 60 MB",
  "debian 13 MB of 61 MB",
  "debian 2000 records",
  "debian storing 2000 records",
];

describe("updateProgress", () => {
  it("writes a plain line every ten seconds without a terminal", () => {
    expect(written({ isTTY: false, stepMs: 10_000 })).toEqual(texts.map((text) => `${text}\n`));
    expect(written({ isTTY: false, stepMs: 4_000 })).toEqual([`${texts[2]}\n`]);
  });

  it("updates one line of a terminal", () => {
    expect(written({ isTTY: true, stepMs: 100 })).toEqual(texts.map((text) => `\r\u001b[K${text}`));
  });

  it("writes nothing with --quiet", () => {
    expect(written({ isTTY: false, quiet: true, stepMs: 10_000 })).toEqual([]);
    expect(written({ isTTY: true, quiet: true, stepMs: 10_000 })).toEqual([]);
  });
});

describe("chosenText", () => {
  it("lists the feeds and their sizes", () => {
    const feeds = [{ name: "debian", sizeBytes: 70e6 }, { name: "kev", sizeBytes: 1.5e6 }, { name: "own" }];

    expect(chosenText(feeds)).toBe("updating 3 feeds, about 72 MB the first time, then what changed: debian, kev, own");
    expect(chosenText([{ name: "own" }])).toBe("updating 1 feed: own");
  });
});
