import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { ChosenButton } from "../shared/confirmed-button.tsx";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Job = ResultOf<"GET /superuser/jobs">["jobs"][number];

const words = texts.jobs;
const states = ["waiting", "running", "dead"] as const;

/** How often jobs are fetched again, in milliseconds. */
const refetchEveryMs = 5000;

/** The jobs of the queue: waiting, running and permanently failed. */
export function Jobs() {
  const [stateText, setState] = useSearchParam("state");
  const state = states.find((each) => each === stateText);
  const query = state === undefined ? {} : { state };
  const jobs = usePages("GET /superuser/jobs", { query }, { refetchInterval: refetchEveryMs });
  return (
    <>
      <div className="filters">
        {states.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={state === each}
            onClick={() => setState(state === each ? "" : each)}
          >
            {words.states[each]}
          </button>
        ))}
      </div>
      <Paged query={jobs}>
        {(pages) => (
          <Table
            columns={columns}
            rows={pages.flatMap((page) => page.jobs)}
            keyOf={({ id }) => id}
            empty={words.none}
            choice={{
              nameOf: ({ kind, id }) => `${kind} ${id}`,
              actions: (chosen) => <ChosenActions jobs={chosen} />,
            }}
            file={{ name: "jobs", all: () => readAllRows("GET /superuser/jobs", { query }, (page) => page.jobs) }}
          />
        )}
      </Paged>
    </>
  );
}

/** The actions of several jobs: dead ones are retried or deleted, the others cancelled. */
function ChosenActions({ jobs }: { readonly jobs: readonly Job[] }) {
  const affected = ["GET /superuser/jobs"] as const;
  const [dead, living] = [jobs.filter(({ state }) => state === "dead"), jobs.filter(({ state }) => state !== "dead")];
  const given = (some: readonly Job[]) => some.map(({ id }) => ({ params: { job_id: id } }));
  return (
    <>
      {living.length > 0 && (
        <ChosenButton
          label={words.cancelChosen}
          consequence={words.cancelledChosen(living.length)}
          operation="POST /superuser/jobs/{job_id}/cancel"
          affected={affected}
          given={given(living)}
        />
      )}
      {dead.length > 0 && (
        <>
          <ChosenButton
            label={words.retryChosen}
            consequence={words.retriedChosen(dead.length)}
            operation="POST /superuser/jobs/{job_id}/retry"
            affected={affected}
            given={given(dead)}
          />
          <ChosenButton
            label={words.removeChosen}
            consequence={words.removedChosen(dead.length)}
            operation="DELETE /superuser/jobs/{job_id}"
            affected={affected}
            given={given(dead)}
          />
        </>
      )}
    </>
  );
}

/** The actions of a job: a dead job can be retried or deleted, another one cancelled. */
function JobActions({ job: { id, state } }: { readonly job: Job }) {
  const params = { job_id: id };
  const [retry, cancel, removal] = [
    useChange("POST /superuser/jobs/{job_id}/retry", ["GET /superuser/jobs"]),
    useChange("POST /superuser/jobs/{job_id}/cancel", ["GET /superuser/jobs"]),
    useChange("DELETE /superuser/jobs/{job_id}", ["GET /superuser/jobs"]),
  ];
  const given = { params };
  if (state !== "dead") return <ActionButton label={words.cancel} change={cancel} given={given} />;
  return (
    <>
      <ActionButton label={words.retry} change={retry} given={given} />
      <ActionButton label={words.remove} change={removal} given={given} />
    </>
  );
}

const columns: readonly Column<Job>[] = [
  { title: words.columns.kind, isName: true, cell: ({ kind }) => kind },
  { title: words.columns.state, cell: ({ state }) => words.states[state] },
  { title: words.columns.attempts, isNumber: true, cell: ({ attempts, max_attempts: of }) => `${attempts} / ${of}` },
  { title: words.columns.due, text: ({ due_at: at }) => timeText(at), cell: ({ due_at: at }) => <Time at={at} /> },
  { title: words.columns.error, isText: true, cell: ({ last_error: error }) => error ?? "–" },
  { title: words.columns.actions, cell: (job) => <JobActions job={job} /> },
];
