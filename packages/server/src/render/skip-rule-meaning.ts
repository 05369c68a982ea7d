import { skipRules } from "@plimsoll/core/internal";

/** What the records of a feed are that a rule leaves out: `fixes of bugs, and enhancements`. Other updaters than the engine's have rules of their own. */
export function skipRuleMeaning(rule: string): string {
  return Object.entries<string>(skipRules).find(([name]) => name === rule)?.[1] ?? "a rule of the updater";
}
