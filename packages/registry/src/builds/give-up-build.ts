import type { GivenUpJob } from "@plimsoll/store";
import { emitEvent } from "../events/emit-event.ts";
import { buildEvent } from "./build-event.ts";
import { type BuildLogEntry, BuildLogWriter } from "./build-log.ts";
import { endOfLog, endUnfinished, findBuild, readLogEntries } from "./queries.ts";
import type { RunBuildContext } from "./run-build.ts";

/**
 * Ends a build whose job is not retried: with `internalerror` if no attempt is left or its workers were lost repeatedly, with `expired`
 * if it waited for too long and no attempt began.
 */
export async function giveUpBuild(
  { db, payload: { buildId }, error, now }: GivenUpJob<{ readonly buildId: string }>,
  { settings, clock }: Pick<RunBuildContext, "settings" | "clock">,
): Promise<void> {
  const build = await findBuild(db, buildId);
  const position = await endOfLog(db, buildId);
  const phase = position === 0 ? "expired" : "internalerror";
  if (build === undefined || !(await endUnfinished(db, buildId, { phase, error }))) return;
  const [last = "{}"] = await readLogEntries(db, buildId, { start: Math.max(0, position - 1), limit: 1 });
  const isLogged = (JSON.parse(last) as Partial<BuildLogEntry>).message === error;
  const log = new BuildLogWriter(db, { buildId, clock: { now: () => now }, position });
  await log.add(...(isLogged ? [] : [{ type: "error", message: error } as const]), { type: "phase", message: phase });
  const repository = { id: build.repository_id, namespace: build.namespace, name: build.repository_name };
  const members = { ...buildEvent(build), error_message: error };
  await emitEvent({ db, settings, clock }, repository, { event: "build_failure", members });
}
