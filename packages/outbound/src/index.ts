export { type AddressGuard, addressGuard } from "./address-guard.ts";
export { type Deadline, startDeadline } from "./deadline.ts";
export type { DispatcherOptions, HostTls, OutboundPolicy } from "./dispatcher.ts";
export { type GrpcSocket, type GrpcSocketOptions, openGrpcSocket } from "./grpc-socket.ts";
export type { GuardedPolicy, RefusedAddress } from "./guarded-connector.ts";
export { type BodyCap, type DocumentCap, discardBody, limitBody, readBody } from "./limit-body.ts";
export {
  type Fetch,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  openOutbound,
  type RequestHeaders,
} from "./outbound.ts";
export type { FetchResponse, OutboundResponse } from "./outbound-response.ts";
export { type EnvironmentVariables, hostProxy, type ProxySettings } from "./proxy-settings.ts";
export { FailedElsewhere, RefusedRedirect } from "./redirects.ts";
export { type BodyPace, type BodySource, type ResponseBody, ResponseFailure } from "./response-body.ts";
export {
  Attempts,
  findErrorCode,
  isPassingError,
  isPassingStatus,
  parseRetryAfter,
  type RetryAdvice,
  type RetryPolicy,
  retryClock,
  withRetries,
} from "./retry.ts";
export { adviceOf, type SendingAgain, sendWithRetries } from "./send-with-retries.ts";
export { isWebhookSecret, type SignedParts, signWebhook, webhookSecretPrefix } from "./sign-webhook.ts";
export { startTunnels, type TunnelOptions, type Tunnels } from "./tunnels.ts";
