import type { IndexService } from "@plimsoll/indexer";
import type { Job } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { createWorkFigures } from "./work-figures.ts";

const job = { id: "1", kind: "registry.collect-garbage" } as Job;

/** Figures by a clock that the test moves. */
function figuresAt() {
  const time = { now: 0 };
  return { time, figures: createWorkFigures(() => time.now) };
}

describe("createWorkFigures", () => {
  it("counts and times attempts of jobs, by kind and result", async () => {
    const { time, figures } = figuresAt();

    figures.noteJob({ kind: "started", job });
    time.now = 2_000;
    figures.noteJob({ kind: "succeeded", job });
    figures.noteJob({ kind: "started", job });
    figures.noteJob({ kind: "failed", job });

    const text = await figures.text();
    expect(text).toContain('plimsoll_job_seconds_sum{kind="registry.collect-garbage",result="done"} 2\n');
    expect(text).toContain('plimsoll_job_seconds_bucket{le="1",kind="registry.collect-garbage",result="done"} 0\n');
    expect(text).toContain('plimsoll_job_seconds_count{kind="registry.collect-garbage",result="failed"} 1\n');
    expect(text).toContain('plimsoll_job_events_total{kind="registry.collect-garbage",event="started"} 2\n');
  });

  it("counts what was collected, by kind", async () => {
    const { figures } = figuresAt();

    for (const sizeBytes of [5, 7]) figures.noteCollected({ kind: "blob", what: "sha256:1", why: "", sizeBytes });

    const text = await figures.text();
    expect(text).toContain('plimsoll_collected_items_total{kind="blob"} 2\n');
    expect(text).toContain('plimsoll_collected_bytes_total{kind="blob"} 12\n');
  });

  it("distinguishes images that could not be read from those that were given up", async () => {
    const { figures } = figuresAt();
    const index = async () => {
      throw new Error("no layer");
    };
    const counted = figures.countIndexing({ index } as unknown as IndexService);
    const signal = AbortSignal.abort();

    await expect(counted.index({} as never)).rejects.toThrow("no layer");
    await expect(counted.index({} as never, { signal })).rejects.toThrow("no layer");

    const text = await figures.text();
    expect(text).toContain('plimsoll_index_seconds_count{result="failed"} 1\n');
    expect(text).toContain('plimsoll_index_seconds_count{result="aborted"} 1\n');
  });
});
