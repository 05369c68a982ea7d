import { trimEnd } from "@plimsoll/core/internal";
import { isWebhookSecret } from "@plimsoll/outbound";
import { UsageError } from "../cli/exit-code.ts";
import { checkHeaders } from "./check-headers.ts";
import type { ValueOf } from "./setting.ts";
import {
  type exchangeTypes,
  type notificationModes,
  notificationSettings,
  pollPeriods,
} from "./settings/notification-settings.ts";
import { wrongValue } from "./wrong-value.ts";

/** The resolved settings of notifications. */
export interface NotificationSettings {
  readonly callback: string;
  readonly mode: (typeof notificationModes)[number];
  readonly pollPeriodSeconds: number;
  readonly delivery: DeliverySettings;
}

/** The receiver of notifications, by protocol. */
export type DeliverySettings = WebhookSettings | AmqpSettings | StompSettings;

/** A receiver of HTTP requests. */
export interface WebhookSettings {
  readonly kind: "webhook";
  readonly target: string;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
}

/** Settings of both kinds of broker. */
export interface BrokerSettings {
  readonly ca?: string;
  /** The files of the client certificate and its key. */
  readonly client?: { readonly certificate: string; readonly key: string };
  readonly direct?: { readonly rollup: number };
}

/** An exchange of an AMQP 0-9-1 broker. */
export interface AmqpSettings extends BrokerSettings {
  readonly kind: "amqp";
  readonly uris: readonly string[];
  readonly exchange: string;
  /** Absent: the exchange must exist. */
  readonly declare?: ExchangeDeclaration;
  readonly routingKey: string;
}

/** How an exchange of the broker is declared. */
export interface ExchangeDeclaration {
  readonly type: (typeof exchangeTypes)[number];
  readonly durable: boolean;
  readonly autoDelete: boolean;
}

/** A destination of a STOMP 1.2 broker. */
export interface StompSettings extends BrokerSettings {
  readonly kind: "stomp";
  readonly addresses: readonly string[];
  readonly destination: string;
  readonly user?: { readonly login: string; readonly passcode: string };
  readonly tls: boolean;
}

/** The given settings about notifications. */
type Given = { readonly [Name in keyof typeof notificationSettings]?: ValueOf<(typeof notificationSettings)[Name]> };

/** The notification settings; empty without a receiver. @throws UsageError if settings are missing or contradict each other */
export function notificationsOf(given: Given): { readonly notifications?: NotificationSettings } {
  const deliveries = [webhookOf(given), amqpOf(given), stompOf(given)].filter((delivery) => delivery !== undefined);
  const [delivery, second] = deliveries;
  if (delivery === undefined) return {};
  if (second !== undefined) {
    throw new UsageError(`notifications: expected ${delivery.kind} or ${second.kind}, found both`);
  }
  const callback = httpAddress("notificationCallback", given.notificationCallback ?? "");
  const { notificationMode: mode = notificationSettings.notificationMode.default } = given;
  const { pollPeriodSeconds = pollPeriods.notifierSeconds } = given;
  return { notifications: { callback, mode, pollPeriodSeconds, delivery } };
}

/** Checks an http or https address and removes slashes at its end. @throws UsageError */
export function httpAddress(setting: string, given: string): string {
  if (/^https?:\/\//.test(given) && URL.canParse(given)) return trimEnd(given, "/");
  const kind = setting === "webhookTarget" ? notificationSettings[setting].kind : undefined;
  throw wrongValue({ place: setting, expected: "http://HOST:PORT or https://…", found: given, kind });
}

function webhookOf({ webhookTarget, webhookSecret, webhookHeaders }: Given): WebhookSettings | undefined {
  if (webhookTarget === undefined) return undefined;
  if (webhookSecret !== undefined && !isWebhookSecret(webhookSecret))
    throw new UsageError("webhookSecret: expected whsec_ and 24 to 64 bytes in base64");
  const target = httpAddress("webhookTarget", webhookTarget);
  if (webhookHeaders !== undefined) checkHeaders("webhookHeaders", webhookHeaders);
  const signed = webhookSecret !== undefined && { secret: webhookSecret };
  return { kind: "webhook", target, ...signed, headers: webhookHeaders };
}

function amqpOf({ amqpUris: uris, amqpExchange: exchange = "", amqpRoutingKey, ...given }: Given) {
  if (uris === undefined) return undefined;
  const routingKey = required("amqpRoutingKey", amqpRoutingKey);
  const place = { uris, exchange, routingKey, ...declarationOf(exchange, given) };
  return { kind: "amqp", ...place, ...brokerOf(given) } as const satisfies AmqpSettings;
}

function declarationOf(exchange: string, given: Given): { readonly declare?: ExchangeDeclaration } {
  const { amqpExchangeType: type, amqpExchangeDurable, amqpExchangeAutoDelete } = given;
  if (type === undefined) {
    if (amqpExchangeDurable === undefined && amqpExchangeAutoDelete === undefined) return {};
    throw new UsageError("amqpExchangeType is missing: without it no exchange is declared");
  }
  if (exchange === "")
    throw new UsageError("amqpExchangeType: the default exchange cannot be declared: set amqpExchange");
  return {
    declare: {
      type,
      durable: amqpExchangeDurable ?? notificationSettings.amqpExchangeDurable.default,
      autoDelete: amqpExchangeAutoDelete ?? notificationSettings.amqpExchangeAutoDelete.default,
    },
  };
}

function stompOf({ stompAddresses: addresses, stompDestination, stompTls, ...given }: Given) {
  if (addresses === undefined) return undefined;
  const tls = stompTls ?? notificationSettings.stompTls.default;
  const { stompLogin: login, stompPasscode } = given;
  const user = login === undefined ? {} : { user: { login, passcode: required("stompPasscode", stompPasscode) } };
  const destination = required("stompDestination", stompDestination);
  return { kind: "stomp", addresses, destination, tls, ...user, ...brokerOf(given) } as const satisfies StompSettings;
}

function brokerOf({ brokerCa: ca, brokerCertificate, brokerKey, directRollup: rollup }: Given): BrokerSettings {
  if ((brokerCertificate === undefined) !== (brokerKey === undefined)) {
    throw new UsageError("brokerCertificate and brokerKey go together: expected both, found one");
  }
  const isNamed = brokerCertificate !== undefined && brokerKey !== undefined;
  return {
    ca,
    client: isNamed ? { certificate: brokerCertificate, key: brokerKey } : undefined,
    direct: rollup === undefined ? undefined : { rollup },
  };
}

function required(setting: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${setting} is missing: the broker's other settings are set`);
}
