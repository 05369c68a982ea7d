import { describe, expect, it } from "vitest";
import { jobFigures } from "./job-figures.ts";

describe("jobFigures", () => {
  it("counts jobs by kind and state", () => {
    const counts = [
      { kind: "registry.send-mail", state: "dead", jobs: 2 },
      { kind: "registry.send-mail", state: "waiting", jobs: 1 },
    ] as const;

    expect(jobFigures(counts).split("\n").slice(2)).toEqual([
      'plimsoll_jobs{kind="registry.send-mail",state="dead"} 2',
      'plimsoll_jobs{kind="registry.send-mail",state="waiting"} 1',
      "",
    ]);
  });
});
