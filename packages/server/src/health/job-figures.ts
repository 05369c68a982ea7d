import type { JobCount } from "@plimsoll/store";

/** The numbers of jobs by kind and state, in Prometheus' text format: waiting, running, or given up (`dead`). */
export function jobFigures(counts: readonly JobCount[]): string {
  const name = "plimsoll_jobs";
  return [
    `# HELP ${name} Jobs in the queue, by kind and state.`,
    `# TYPE ${name} gauge`,
    ...counts.map(({ kind, state, jobs }) => `${name}{kind="${kind}",state="${state}"} ${jobs}`),
    "",
  ].join("\n");
}
