import type { Json } from "@plimsoll/core/report";
import type { Mailer, OutgoingDocument, OutgoingGuard } from "../ports.ts";
import { DeliveryFailed } from "./delivery-failed.ts";
import type { MethodConfig } from "./notification-methods.ts";
import type { RepositoryEvent } from "./queries/notifications.ts";

/** The delivery of an event to one receiver. */
export interface Delivery {
  /** The same in every attempt, so that receivers recognize repetitions. */
  readonly id: string;
  readonly event: RepositoryEvent;
  /** The members of the event. */
  readonly members: { readonly [name: string]: Json | undefined };
  readonly config: MethodConfig;
  /** The receivers of e-mail, for the method that sends it. */
  readonly addresses: readonly string[];
  /** The key that signs the request, for methods that do so. */
  readonly secret: string | undefined;
  /** Epoch milliseconds of the attempt. */
  readonly now: number;
}

/** What sending events needs. */
export interface SendingDeps {
  readonly outgoing: OutgoingGuard;
  readonly mailer: Mailer;
  /** The title of the registry. */
  readonly title: string;
  /** Aborted when the attempt ends or takes too long. */
  readonly signal: AbortSignal;
}

/** Sends a document. @returns a description of the answer @throws DeliveryFailed */
export async function deliver({ outgoing, signal }: SendingDeps, document: OutgoingDocument): Promise<string> {
  const { kind, text } = await outgoing.deliver(document, { signal }).catch((cause: unknown) => {
    throw new DeliveryFailed(`the receiver could not be reached: ${reasonOf(cause)}`, { cause });
  });
  if (kind === "refused") throw new DeliveryFailed(text);
  return text;
}

/** The reason of an error, short enough for display. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: { readonly message?: unknown } };
  return [message, cause?.message]
    .filter((each) => typeof each === "string")
    .join(": ")
    .slice(0, 500);
}
