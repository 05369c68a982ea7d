import type { notificationSettingKinds } from "../notification-settings.ts";
import { type Meaning, none } from "./meaning.ts";

/** Descriptions of the settings of notifications, brokers and webhooks. */
export const notificationMeanings: Readonly<Record<keyof typeof notificationSettingKinds, Meaning>> = {
  notificationCallback: [
    "The address, before the id of a set, where receivers read the notifications of the set. Required for notifications.",
    none,
  ],
  notificationMode: [
    "Which vulnerabilities of an image are sent: with `summary` the worst one, with `full` all.",
    "summary",
  ],
  pollPeriodSeconds: [
    "How often the notifier, and the worker of a registry for the notifications of its repositories, look for updates of feeds.",
    "21600; 600 for the registry",
  ],
  webhookTarget: ["The address that receives a `POST` when there are notifications.", "none: no webhook is sent"],
  webhookSecret: [
    "Signs each webhook request as Standard Webhooks specifies: `whsec_` and 24 to 64 random bytes in base64, the same at the receiver.",
    "none: requests are not signed",
  ],
  webhookHeaders: ["Headers of each webhook request: lists of values by name.", none],
  amqpUris: ["The addresses of AMQP brokers. The first one that can be reached is used.", none],
  amqpExchange: ["The exchange that notifications are published to.", "the broker's default exchange"],
  amqpExchangeType: ["The type that the exchange is declared with.", "the exchange is not declared and must exist"],
  amqpExchangeDurable: ["Whether the declared exchange survives a restart of the broker.", "true"],
  amqpExchangeAutoDelete: ["Whether the declared exchange is deleted with its last binding.", "false"],
  amqpRoutingKey: ["The routing key of notifications. Required with `amqpUris`.", none],
  stompAddresses: ["STOMP brokers, each `HOST:PORT`. The first one that can be reached is used.", none],
  stompDestination: ["The destination that notifications are sent to. Required with `stompAddresses`.", none],
  stompLogin: ["The user name at the STOMP broker.", none],
  stompPasscode: ["The password of `stompLogin`.", none],
  stompTls: ["Whether to connect to the STOMP broker with TLS.", "false"],
  brokerCa: [
    "A file in PEM with the certificate authorities that are trusted for the broker.",
    "the system's authorities",
  ],
  brokerCertificate: ["A file in PEM with the client certificate for the broker, and its chain.", none],
  brokerKey: ["A file in PEM with the key of that certificate.", none],
  directRollup: [
    "How many notifications a message to the broker contains.",
    "messages contain the address of the notifications instead",
  ],
};
