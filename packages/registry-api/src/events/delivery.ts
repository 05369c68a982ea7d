import type { Json } from "@plimsoll/core";
import type { Mailer, OutgoingGuard } from "../ports.ts";
import type { MethodConfig } from "./notification-methods.ts";
import type { RepositoryEvent } from "./queries/repository-notifications.ts";

/** An event on its way to one receiver. */
export interface Delivery {
  /** The same in every attempt: receivers tell repetitions by it. */
  readonly id: string;
  readonly event: RepositoryEvent;
  /** What is told, as JSON. */
  readonly members: { readonly [name: string]: Json };
  readonly config: MethodConfig;
  /** Signs what is sent, where the method does that. */
  readonly secret: string | undefined;
  /** Epoch milliseconds of the attempt. */
  readonly now: number;
}

/** What sending takes. */
export interface SendingContext {
  readonly outgoing: OutgoingGuard;
  readonly mailer: Mailer | undefined;
  /** How the registry calls itself. */
  readonly title: string;
  /** Aborted when the attempt ends, or has taken too long. */
  readonly signal: AbortSignal;
}

/** An attempt to deliver did not reach its receiver, or was refused by it. The message is shown to admins of the repository. */
export class DeliveryFailed extends Error {
  override readonly name = "DeliveryFailed";
}

/** Posts a JSON document. Redirects are not followed. @returns what was answered @throws DeliveryFailed */
export async function postJson(
  { outgoing, signal }: SendingContext,
  url: string,
  { body, headers = {} }: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<string> {
  const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers }, signal } as const;
  const response = await outgoing.send(url, { ...init, redirect: "manual" }).catch((cause: unknown) => {
    throw new DeliveryFailed(`the receiver could not be reached: ${reasonOf(cause)}`, { cause });
  });
  await response.body?.cancel();
  if (!response.ok) throw new DeliveryFailed(`the receiver answered ${response.status}`);
  return `the receiver answered ${response.status}`;
}

/** Why something failed, short enough to be shown. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: { readonly message?: unknown } };
  return [message, cause?.message]
    .filter((each) => typeof each === "string")
    .join(": ")
    .slice(0, 500);
}
