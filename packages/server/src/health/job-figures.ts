import type { JobCount } from "@plimsoll/store";

/** How many jobs there are by kind and state, in Prometheus' text format: what waits, runs, or was given up (`dead`). */
export function jobFigures(counts: readonly JobCount[]): string {
  const name = "plimsoll_jobs";
  return [
    `# HELP ${name} Jobs in the queue, by kind and state.`,
    `# TYPE ${name} gauge`,
    ...counts.map(({ kind, state, jobs }) => `${name}{kind="${kind}",state="${state}"} ${jobs}`),
    "",
  ].join("\n");
}
