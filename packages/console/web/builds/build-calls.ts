import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../api/call.ts";
import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

const { phases } = texts.builds;

/** A build as the management API shows it. */
export type Build = ResultOf<"GET /repository/{repository}/build/">["builds"][number];

const running: ReadonlySet<string> = new Set([
  "waiting",
  "build-scheduled",
  "unpacking",
  "pulling",
  "building",
  "pushing",
] satisfies (keyof typeof phases)[]);

/** Whether a build waits or runs: it has not ended. */
export function isRunning({ phase }: Pick<Build, "phase">): boolean {
  return running.has(phase);
}

/** The text of a build's phase. */
export function phaseText(phase: string): string {
  return phases[phase as keyof typeof phases] ?? phase;
}

/** A line of a build's log: output, or a new phase. */
export interface LogLine {
  readonly message: string;
  readonly type?: string;
}

/** The lines of a build's log that were read so far, and how many there are. */
interface ReadLog {
  readonly lines: readonly LogLine[];
  readonly total: number;
}

/** How long to wait before a running build's log is read again, in milliseconds: at its end, and while there are unread lines. */
const [refetchEveryMs, moreMs] = [1000, 10] as const;

/** Queries the log of a build: new lines are appended until the build has ended. */
export function useBuildLog(repository: string, build: Build) {
  const queries = useQueryClient();
  const queryKey = ["GET /repository/{repository}/build/{build_uuid}/logs", repository, build.id] as const;
  const mayGrow = isRunning(build);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a build adds the last lines of its log
  useEffect(() => {
    queries.invalidateQueries({ queryKey });
  }, [mayGrow]);
  return useQuery({
    queryKey,
    async queryFn({ signal }) {
      const { lines } = queries.getQueryData<ReadLog>(queryKey) ?? { lines: [] };
      const params = { repository, build_uuid: build.id };
      const read = await call(
        "GET /repository/{repository}/build/{build_uuid}/logs",
        { params, query: { start: lines.length } },
        signal,
      );
      return { lines: [...lines, ...(read.logs as unknown as readonly LogLine[])], total: read.total };
    },
    refetchInterval({ state: { data } }) {
      if (data !== undefined && data.lines.length < data.total) return moreMs;
      return mayGrow ? refetchEveryMs : false;
    },
  });
}
