export { type ConnectAmqpOptions, connectAmqp } from "./adapters/connect-amqp.ts";
export { type ConnectSocketOptions, connectSocket, type TlsOptions } from "./adapters/connect-socket.ts";
export { type DeliverOptions, deliverSetJob } from "./deliver-set.ts";
export { NotifierError, type NotifierErrorCode } from "./errors.ts";
export type { NotificationMode } from "./find-notifications.ts";
export { createNotificationService, type GetPageOptions, type NotificationService } from "./notification-service.ts";
export { createNotifier, type Notifier, type NotifierOptions } from "./notifier-jobs.ts";
export type { FirstSight } from "./plan-steps.ts";
export { type PollOptions, type PollResult, pollUpdates, type SetResult } from "./poll-updates.ts";
export {
  type AffectedSource,
  beforeAllOperations,
  type DiffRefs,
  type UpdateSource,
  type Vulnerabilities,
} from "./ports.ts";
export { notifierMigrations } from "./store/migrations/all.ts";
export type { NotifierStore, NotifierTables } from "./store/tables.ts";
export {
  type AmqpMessage,
  type AmqpOptions,
  type AmqpSession,
  amqpTransport,
  type ConnectAmqp,
  type ExchangeDeclaration,
} from "./transports/amqp.ts";
export type { BrokerMessage, DirectOptions } from "./transports/broker-messages.ts";
export { type ConnectSocket, type StompOptions, stompTransport } from "./transports/stomp.ts";
export type { Delivery, Outcome, Transport } from "./transports/transport.ts";
export { type WebhookOptions, type WebhookResponse, webhookTransport } from "./transports/webhook.ts";
export type { Notification, NotificationPage, Reason, VulnerabilitySummary } from "./values/notification.ts";
export type { UpdateOperation } from "./values/update-operation.ts";
