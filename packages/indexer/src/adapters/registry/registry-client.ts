import { ScanError } from "@plimsoll/core";
import {
  type HostTls,
  type Outbound,
  type OutboundOptions,
  type OutboundPolicy,
  openOutbound,
  RefusedRedirect,
} from "@plimsoll/outbound";
import { isInsecure, mayUsePlainHttp, type PlainHttpRule } from "./plain-http.ts";

/** Sends requests to registries. Disposing closes its connections. */
export type RegistryClient = Pick<Outbound, "send"> & AsyncDisposable;

/** Options of requests to registries. */
export interface RegistryClientOptions
  extends PlainHttpRule,
    Pick<OutboundOptions, "proxy" | "proxyPolicy" | "connectMs" | "idleMs"> {
  /** CA certificates to trust instead of the platform's, in PEM. */
  readonly ca?: string | undefined;
  /** Certificates for one host, which includes its port. They take precedence over `ca`. */
  readonly certificates?: ((host: string) => HostTls | undefined) | undefined;
  /** The addresses that may be connected to. Default: `trusted`, for registries that the user names. */
  readonly policy?: OutboundPolicy | undefined;
}

/** Opens a client for registries. */
export function openRegistryClient({
  insecure,
  ca,
  certificates,
  policy = "trusted",
  ...connecting
}: RegistryClientOptions): RegistryClient {
  const rule = { insecure };
  const defaultTls: HostTls = { ca };
  const unverified: HostTls = { isVerified: false };
  const outbound = openOutbound({
    ...connecting,
    policy,
    tls: (host) => (isInsecure(host, rule) ? unverified : (certificates?.(host) ?? defaultTls)),
    mayUsePlainHttp: (host) => mayUsePlainHttp(host, rule),
  });
  return {
    send: (request) => {
      const headers = { "user-agent": "plimsoll", ...request.headers };
      return outbound.send({ ...request, headers }).catch((error: unknown) => {
        throw error instanceof RefusedRedirect ? refusedError(error) : error;
      });
    },
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

function refusedError(error: RefusedRedirect): ScanError {
  const { from, to, message } = error;
  const remedy = to === undefined ? "" : ` (to ${to.host}); list the host as insecure to allow it`;
  return new ScanError("source_unreachable", `${from.host}: expected an answer, found ${message}${remedy}`, {
    cause: error,
  });
}
