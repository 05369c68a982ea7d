import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

const words = texts.notifications;

/** A notification as the management API shows it. */
export type Notification = ResultOf<"GET /repository/{repository}/notification/">["notifications"][number];

/** The name of a notification; without one, the text of its event. */
export function nameOf({ title, event }: Notification): string {
  return title ?? words.events[event as keyof typeof words.events] ?? event;
}

/** The recipient of a notification: a URL, an e-mail address, or the name of a user, team or organization. */
export function receiverOf({ config }: Pick<Notification, "config">): string {
  const { url, email, target } = config as {
    readonly url?: string;
    readonly email?: string;
    readonly target?: { readonly name?: string };
  };
  return url ?? email ?? target?.name ?? "–";
}
