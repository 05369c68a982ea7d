import { trimEnd } from "@plimsoll/core";
import { UsageError } from "../cli/exit-code.ts";
import { count, flag, oneOf, text, texts } from "./setting-kind.ts";

/** What a set tells of an image: its worst vulnerability, or all of them. */
export const notificationModes = ["summary", "full"] as const;

/** The settings of notifications. */
export const notificationSettingKinds = {
  /** Where the receiver finds the notifications of a set: the address before the set's id. */
  notificationCallback: text,
  notificationMode: oneOf(notificationModes),
  pollPeriodSeconds: count,
  webhookTarget: text,
  amqpUris: texts,
  amqpExchange: text,
  amqpRoutingKey: text,
  /** `HOST:PORT` */
  stompAddresses: texts,
  stompDestination: text,
  stompLogin: text,
  stompPasscode: text,
  stompTls: flag,
  /** A file of certificates in PEM: who is trusted to be the broker, in place of the system's authorities. */
  brokerCa: text,
  /** Sends the notifications themselves to the broker, so many in a message. */
  directRollup: count,
} as const;

/** How notifications are made and told. */
export interface NotificationSettings {
  readonly callback: string;
  readonly mode: (typeof notificationModes)[number];
  readonly pollPeriodSeconds: number;
  readonly delivery: DeliverySettings;
}

/** Who is told, and how. */
export type DeliverySettings = WebhookSettings | AmqpSettings | StompSettings;

interface WebhookSettings {
  readonly kind: "webhook";
  readonly target: string;
}

interface BrokerSettings {
  readonly ca?: string;
  readonly direct?: { readonly rollup: number };
}

interface AmqpSettings extends BrokerSettings {
  readonly kind: "amqp";
  readonly uris: readonly string[];
  readonly exchange: string;
  readonly routingKey: string;
}

interface StompSettings extends BrokerSettings {
  readonly kind: "stomp";
  readonly addresses: readonly string[];
  readonly destination: string;
  readonly user?: { readonly login: string; readonly passcode: string };
  readonly tls: boolean;
}

/** The settings that were given, as far as notifications go. */
interface Given {
  readonly notificationCallback?: string;
  readonly notificationMode?: (typeof notificationModes)[number];
  readonly pollPeriodSeconds?: number;
  readonly webhookTarget?: string;
  readonly amqpUris?: readonly string[];
  readonly amqpExchange?: string;
  readonly amqpRoutingKey?: string;
  readonly stompAddresses?: readonly string[];
  readonly stompDestination?: string;
  readonly stompLogin?: string;
  readonly stompPasscode?: string;
  readonly stompTls?: boolean;
  readonly brokerCa?: string;
  readonly directRollup?: number;
}

/** @throws UsageError when settings are missing or do not go together */
export function notificationsOf(given: Given): { readonly notifications?: NotificationSettings } {
  const deliveries = [webhookOf(given), amqpOf(given), stompOf(given)].filter((delivery) => delivery !== undefined);
  const [delivery, second] = deliveries;
  if (delivery === undefined) return {};
  if (second !== undefined) {
    throw new UsageError(`notifications go one way: expected ${delivery.kind} or ${second.kind}, found both`);
  }
  const callback = httpAddress("notificationCallback", given.notificationCallback ?? "");
  const { notificationMode: mode = "summary", pollPeriodSeconds = 6 * 3600 } = given;
  return { notifications: { callback, mode, pollPeriodSeconds, delivery } };
}

/** An address without a slash at its end. @throws UsageError */
export function httpAddress(setting: string, given: string): string {
  if (/^https?:\/\//.test(given) && URL.canParse(given)) return trimEnd(given, "/");
  throw new UsageError(`${setting}: expected http://HOST:PORT or https://…, found "${given}"`);
}

function webhookOf({ webhookTarget }: Given): WebhookSettings | undefined {
  if (webhookTarget === undefined) return undefined;
  return { kind: "webhook", target: httpAddress("webhookTarget", webhookTarget) };
}

function amqpOf({ amqpUris: uris, amqpExchange: exchange = "", amqpRoutingKey, ...given }: Given) {
  if (uris === undefined) return undefined;
  const routingKey = required("amqpRoutingKey", amqpRoutingKey);
  return { kind: "amqp", uris, exchange, routingKey, ...brokerOf(given) } as const satisfies AmqpSettings;
}

function stompOf({ stompAddresses: addresses, stompDestination, stompTls: tls = false, ...given }: Given) {
  if (addresses === undefined) return undefined;
  const { stompLogin: login, stompPasscode } = given;
  const user = login === undefined ? {} : { user: { login, passcode: required("stompPasscode", stompPasscode) } };
  const destination = required("stompDestination", stompDestination);
  return { kind: "stomp", addresses, destination, tls, ...user, ...brokerOf(given) } as const satisfies StompSettings;
}

function brokerOf({ brokerCa: ca, directRollup: rollup }: Given): BrokerSettings {
  return { ...(ca !== undefined && { ca }), ...(rollup !== undefined && { direct: { rollup } }) };
}

function required(setting: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${setting} is missing: the broker's other settings are there`);
}
