import { setTimeout as delay } from "node:timers/promises";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { reasonOf } from "../serve/outages.ts";

/** A part or another service that this one depends on. */
export interface Dependency {
  readonly name: string;
  /** Whether the service is not ready while the dependency fails. */
  readonly isNeeded: boolean;
  /** Rejects if the dependency fails. */
  check(signal: AbortSignal): Promise<unknown>;
}

/** The result of a readiness check. */
export interface Readiness {
  readonly isReady: boolean;
  /** One line for the service, then one for each dependency. */
  readonly text: string;
  readonly states: readonly DependencyState[];
  /** Why the service accepts no more requests; undefined while it does. */
  readonly stopping: string | undefined;
}

/** Whether a dependency works. */
export interface DependencyState extends Pick<Dependency, "name" | "isNeeded"> {
  /** Why it does not; it may hold addresses and paths. */
  readonly failure: string | undefined;
}

/** Options of {@link judgeReadiness}. */
export interface ReadinessOptions {
  readonly dependencies: readonly Dependency[];
  /** Why the service accepts no more requests; undefined while it does. */
  readonly stopping: () => string | undefined;
  readonly clock: { now(): number };
}

/** How long a dependency may take to answer. */
const patienceMs = 2_000;

/** How long a result is reused: load balancers probe often, and several at once. */
const keptMs = 1_000;

/** Returns a readiness check. Dependencies are checked at most once a second, however often it is called. */
export function judgeReadiness({ dependencies, stopping, clock }: ReadinessOptions): () => Promise<Readiness> {
  let checked: { readonly at: number; readonly states: Promise<readonly DependencyState[]> } | undefined;
  return async () => {
    const now = clock.now();
    if (checked === undefined || now - checked.at >= keptMs) {
      checked = { at: now, states: Promise.all(dependencies.map(checkOne)) };
    }
    const states = await checked.states;
    const missing = states.find(({ isNeeded, failure }) => isNeeded && failure !== undefined);
    const end = stopping();
    const problem = end ?? (missing && `${missing.name} fails`);
    const text = `${[problem ?? "ok", ...states.map(lineOf)].join("\n")}\n`;
    return { isReady: problem === undefined, text, states, stopping: end };
  };
}

async function checkOne(dependency: Dependency): Promise<DependencyState> {
  const limit = new AbortController();
  const late = delay(patienceMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`no answer within ${patienceMs / 1000} s`);
  });
  late.catch(() => {});
  const check = (async () => dependency.check(limit.signal))();
  check.catch(() => {});
  const failure = await Promise.race([check, late]).then(() => undefined, reasonOf);
  limit.abort();
  return { name: dependency.name, isNeeded: dependency.isNeeded, failure };
}

function lineOf({ name, isNeeded, failure }: DependencyState): string {
  if (failure === undefined) return `${name}: ok`;
  const reason = withoutFolders(withoutCredentials(failure.replaceAll("\n", " ")));
  return `${name}: failed${isNeeded ? "" : " (requests are answered without it)"}: ${reason}`;
}

/** Shortens absolute paths to their last part: the response is public, and the log has the full path. */
function withoutFolders(text: string): string {
  return text.replaceAll(/(?<![\w:/.])\/[^\s'",:]*\/(?=[^\s'",:/])/g, "");
}
