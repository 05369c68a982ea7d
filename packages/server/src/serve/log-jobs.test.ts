import { jobEventKinds } from "@plimsoll/store";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { logJobs } from "./start-jobs.ts";

const job = { id: "1", kind: "registry.send-mail", attempts: 2, maxAttempts: 12, dueAt: 0 };

/** The lines of a log, without its times. */
function openLog() {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, logger };
}

describe("logJobs", () => {
  it.each(jobEventKinds)("logs one line of a job that is %s", (kind) => {
    const { lines, logger } = openLog();

    logJobs(logger)({ kind, job });

    expect(lines).toMatchObject([{ msg: `job_${kind}`, job: job.kind, id: "1", attempt: 2, maxAttempts: 12 }]);
  });

  it("logs the duration of an attempt, but not the payload", () => {
    const { lines, logger } = openLog();
    let now = 0;
    const log = logJobs(logger, () => now);
    const secret = { ...job, payload: { token: "sesame" } };

    log({ kind: "started", job: secret });
    now = 1_250;
    log({ kind: "failed", job: secret, error: new Error("no answer") });

    const line = { level: 40, job: job.kind, id: "1", attempt: 2, maxAttempts: 12, seconds: 1.25, reason: "no answer" };
    expect(lines[1]).toEqual({ ...line, msg: "job_failed" });
    expect(JSON.stringify(lines)).not.toContain("sesame");
  });

  it.each([
    ["dead", 50],
    ["expired", 40],
    ["lost", 40],
    ["succeeded", 30],
  ] as const)("logs %s at level %i", (kind, level) => {
    const { lines, logger } = openLog();

    logJobs(logger)({ kind, job, error: new Error("e") });

    expect(lines[0]?.level).toBe(level);
  });
});
