/** The subscriber of a notifier that names none. */
export const usualSubscriber = "transport";

/** The name of a kind of jobs of a subscriber: a process does the work of those subscribers alone that it knows. */
export function kindOf(name: string, subscriber: string): string {
  return subscriber === usualSubscriber ? `notifier.${name}` : `notifier.${name}-${subscriber}`;
}
