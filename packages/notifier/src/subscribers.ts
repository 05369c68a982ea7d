/** The default subscriber. */
export const usualSubscriber = "transport";

/** The name of a subscriber's kind of jobs. Each subscriber has its own, so that a process does only the work of its subscribers. */
export function kindOf(name: string, subscriber: string): string {
  return subscriber === usualSubscriber ? `notifier.${name}` : `notifier.${name}-${subscriber}`;
}
