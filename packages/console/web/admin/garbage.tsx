import type { ReactNode } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { GarbagePlan } from "./garbage-plan.tsx";
import { GarbageRun, type Run } from "./garbage-run.tsx";

type Found = ResultOf<"GET /superuser/garbage">;

const words = texts.administration.garbage;

/** How often a running collection or plan is fetched again, in milliseconds. */
const refetchEveryMs = 1000;

/** Garbage collection: pending deletions, the last collections, and the plan of the next. */
export function Garbage() {
  const garbage = useOperation(
    "GET /superuser/garbage",
    {},
    { refetchInterval: ({ state: { data } }) => (data?.collecting || data?.planning ? refetchEveryMs : false) },
  );
  return (
    <Answered query={garbage}>
      {(found) => (
        <>
          <Section title={words.title} about={words.about}>
            <Waiting waiting={found.waiting} />
            <Actions found={found} />
          </Section>
          <Section title={words.last}>
            <GarbageRun run={found.last} isRunning={found.collecting?.state === "running"} />
          </Section>
          {found.last_freeing && found.last_freeing.started !== found.last?.started && (
            <Section title={words.lastFreeing}>
              <GarbageRun run={found.last_freeing} isRunning={false} />
            </Section>
          )}
          {found.plan && !found.planning && <GarbagePlan plan={found.plan} />}
        </>
      )}
    </Answered>
  );
}

function Waiting({ waiting: { repositories, namespaces, uploads, upload_bytes } }: Pick<Found, "waiting">) {
  const counts = {
    repositories: formatCount(repositories),
    namespaces: formatCount(namespaces),
    uploads: formatCount(uploads),
  };
  return <p>{words.waits({ ...counts, size: formatSize(upload_bytes) })}</p>;
}

function Actions({ found: { collecting, planning, last, plan } }: { readonly found: Found }) {
  const collect = useChange("POST /superuser/garbage/collect", ["GET /superuser/garbage"]);
  const make = useChange("POST /superuser/garbage/plan", ["GET /superuser/garbage"]);
  return (
    <>
      {planning ? (
        <Live
          job={planning}
          text={words.planning[planning.state]}
          progress={plan?.ended === null ? plan : null}
          cancel={words.cancelPlanning}
        />
      ) : (
        <ActionButton label={words.plan} change={make} given={{}} />
      )}
      {collecting ? (
        <Live
          job={collecting}
          text={words.collecting[collecting.state]}
          progress={last?.ended === null ? last : null}
          cancel={words.cancelCollecting}
        />
      ) : (
        <ActionButton label={words.collect} change={collect} given={{}} />
      )}
    </>
  );
}

interface LiveProps {
  readonly job: NonNullable<Found["collecting"]>;
  readonly text: string;
  /** The progress so far; null before the job has reported any. */
  readonly progress: Run | null;
  /** The label of the button that cancels it. */
  readonly cancel: string;
}

/** A job that waits or runs. */
function Live({ job: { job_id, state }, text, progress, cancel }: LiveProps): ReactNode {
  const stop = useChange("POST /superuser/jobs/{job_id}/cancel", ["GET /superuser/garbage"]);
  const items = progress?.counts.reduce((sum, each) => sum + each.items, 0) ?? 0;
  return (
    <div role="status">
      <p>
        {text} {state === "running" && words.progress(formatCount(progress?.repositories ?? 0), formatCount(items))}
      </p>
      <ActionButton label={cancel} change={stop} given={{ params: { job_id } }} />
    </div>
  );
}
