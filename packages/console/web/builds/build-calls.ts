import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../api/call.ts";
import { getRepoBuildLogs, type getRepoBuilds } from "../api/generated/build.ts";
import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

const { phases } = texts.builds;

/** A build as the management API shows it. */
export type Build = ResultOf<typeof getRepoBuilds>["builds"][number];

const running: ReadonlySet<string> = new Set([
  "waiting",
  "build-scheduled",
  "unpacking",
  "pulling",
  "building",
  "pushing",
] satisfies (keyof typeof phases)[]);

/** Whether a build waits or runs. */
export function isRunning({ phase }: Pick<Build, "phase">): boolean {
  return running.has(phase);
}

/** How a build stands, in words. */
export function phaseText(phase: string): string {
  return phases[phase as keyof typeof phases] ?? phase;
}

/** What a build printed, or how it went on. */
export interface LogLine {
  readonly message: string;
  readonly type?: string;
}

/** The log of a build that has come so far, and how much of it there is. */
interface ReadLog {
  readonly lines: readonly LogLine[];
  readonly total: number;
}

/** How often a running build's log is read, in milliseconds; and where there is more to read at once. */
const [lookEveryMs, moreMs] = [1000, 10] as const;

/** The log of a build: what is new is read after what was read before, for as long as more may come. */
export function useBuildLog(repository: string, build: Build) {
  const queries = useQueryClient();
  const queryKey = [getRepoBuildLogs.id, repository, build.id];
  const mayGrow = isRunning(build);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a build comes with the last lines of its log
  useEffect(() => {
    queries.invalidateQueries({ queryKey });
  }, [mayGrow]);
  return useQuery({
    queryKey,
    async queryFn({ signal }) {
      const { lines } = queries.getQueryData<ReadLog>(queryKey) ?? { lines: [] };
      const params = { repository, build_uuid: build.id };
      const read = await call(getRepoBuildLogs, { params, query: { start: lines.length } }, signal);
      return { lines: [...lines, ...(read.logs as unknown as readonly LogLine[])], total: read.total };
    },
    refetchInterval({ state: { data } }) {
      if (data !== undefined && data.lines.length < data.total) return moreMs;
      return mayGrow ? lookEveryMs : false;
    },
  });
}
