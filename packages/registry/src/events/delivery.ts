import type { Json } from "@plimsoll/core/report";
import { discardBody } from "@plimsoll/outbound";
import type { Mailer, OutgoingGuard } from "../ports.ts";
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

/** The context of sending events. */
export interface SendingContext {
  readonly outgoing: OutgoingGuard;
  readonly mailer: Mailer | undefined;
  /** The title of the registry. */
  readonly title: string;
  /** Aborted when the attempt ends or takes too long. */
  readonly signal: AbortSignal;
}

/** Posts a JSON document. Redirects are not followed. @returns a description of the response @throws DeliveryFailed */
export async function postJson(
  { outgoing, signal }: SendingContext,
  url: string,
  { body, headers = {} }: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<string> {
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers }, signal } as const;
  const response = await outgoing.send(url, { ...init, redirect: "manual" }).catch((cause: unknown) => {
    throw new DeliveryFailed(`the receiver could not be reached: ${reasonOf(cause)}`, { cause });
  });
  await discardBody(response);
  if (!response.ok) throw new DeliveryFailed(`the receiver answered ${response.status}`);
  return `the receiver answered ${response.status}`;
}

/** The reason of an error, short enough for display. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: { readonly message?: unknown } };
  return [message, cause?.message]
    .filter((each) => typeof each === "string")
    .join(": ")
    .slice(0, 500);
}
