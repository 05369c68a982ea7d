import { setting } from "../setting.ts";
import { address, addresses, count, flag, oneOf, secret, text, textLists } from "../setting-kind.ts";

/** Which vulnerabilities of an image are sent: `summary` the worst one, `full` all. */
export const notificationModes = ["summary", "full"] as const;

/** The types of AMQP exchanges. */
export const exchangeTypes = ["direct", "fanout", "topic", "headers"] as const;

/** How often updates of feeds are looked for, by default. */
export const pollPeriods = { notifierSeconds: 6 * 3600, registrySeconds: 600 } as const;

/** Notifications, brokers and webhooks. */
export const notificationSettings = {
  notificationCallback: setting({
    kind: address,
    meaning:
      "The address, before the id of a set, where receivers read the notifications of the set. Required for notifications.",
    otherwise: "none",
    example: "https://scanner.example.com/notifier/api/v1/notification",
  }),
  notificationMode: setting({
    kind: oneOf(notificationModes),
    meaning: "Which vulnerabilities of an image are sent: with `summary` the worst one, with `full` all.",
    default: "summary",
    example: "full",
  }),
  pollPeriodSeconds: setting({
    kind: count,
    meaning:
      "How often the notifier, and the worker of a registry for the notifications of its repositories, look for updates of feeds.",
    otherwise: `${pollPeriods.notifierSeconds}; ${pollPeriods.registrySeconds} for the registry`,
    example: 3600,
  }),
  webhookTarget: setting({
    kind: secret,
    meaning: "The address that receives a `POST` when there are notifications.",
    otherwise: "none: no webhook is sent",
    example: "https://hooks.example.com/plimsoll",
  }),
  webhookSecret: setting({
    kind: secret,
    meaning:
      "Signs each webhook request as Standard Webhooks specifies: `whsec_` and 24 to 64 random bytes in base64, the same at the receiver.",
    otherwise: "none: requests are not signed",
    example: "whsec_c2VjcmV0IG9mIGF0IGxlYXN0IDI0IGJ5dGVz",
  }),
  webhookHeaders: setting({
    kind: { ...textLists, isSecret: true },
    meaning: "Headers of each webhook request: lists of values by name.",
    otherwise: "none",
    example: { authorization: ["Bearer 3kTMd1"] },
  }),
  amqpUris: setting({
    kind: addresses,
    meaning: "The addresses of AMQP brokers. The first one that can be reached is used.",
    otherwise: "none",
    example: ["amqps://user:password@broker.example.com:5671/"],
  }),
  amqpExchange: setting({
    kind: text,
    meaning: "The exchange that notifications are published to.",
    otherwise: "the broker's default exchange",
    example: "plimsoll",
  }),
  amqpExchangeType: setting({
    kind: oneOf(exchangeTypes),
    meaning: "The type that the exchange is declared with.",
    otherwise: "the exchange is not declared and must exist",
    example: "topic",
  }),
  amqpExchangeDurable: setting({
    kind: flag,
    meaning: "Whether the declared exchange survives a restart of the broker.",
    default: true,
    example: false,
  }),
  amqpExchangeAutoDelete: setting({
    kind: flag,
    meaning: "Whether the declared exchange is deleted with its last binding.",
    default: false,
    example: true,
  }),
  amqpRoutingKey: setting({
    kind: text,
    meaning: "The routing key of notifications. Required with `amqpUris`.",
    otherwise: "none",
    example: "notifications",
  }),
  stompAddresses: setting({
    kind: addresses,
    meaning: "STOMP brokers, each `HOST:PORT`. The first one that can be reached is used.",
    otherwise: "none",
    example: ["broker.example.com:61613"],
  }),
  stompDestination: setting({
    kind: text,
    meaning: "The destination that notifications are sent to. Required with `stompAddresses`.",
    otherwise: "none",
    example: "/queue/notifications",
  }),
  stompLogin: setting({
    kind: text,
    meaning: "The user name at the STOMP broker.",
    otherwise: "none",
    example: "plimsoll",
  }),
  stompPasscode: setting({
    kind: secret,
    meaning: "The password of `stompLogin`.",
    otherwise: "none",
    example: "3kTMd1",
  }),
  stompTls: setting({
    kind: flag,
    meaning: "Whether to connect to the STOMP broker with TLS.",
    default: false,
    example: true,
  }),
  brokerCa: setting({
    kind: text,
    meaning: "A file in PEM with the certificate authorities that are trusted for the broker.",
    otherwise: "the system's authorities",
    example: "/etc/plimsoll/broker-ca.pem",
  }),
  brokerCertificate: setting({
    kind: text,
    meaning: "A file in PEM with the client certificate for the broker, and its chain.",
    otherwise: "none",
    example: "/etc/plimsoll/client.pem",
  }),
  brokerKey: setting({
    kind: text,
    meaning: "A file in PEM with the key of that certificate.",
    otherwise: "none",
    example: "/etc/plimsoll/client-key.pem",
  }),
  directRollup: setting({
    kind: count,
    meaning: "How many notifications a message to the broker contains.",
    otherwise: "messages contain the address of the notifications instead",
    example: 100,
  }),
} as const;
