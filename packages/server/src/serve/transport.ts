import {
  amqpTransport,
  connectAmqp,
  connectSocket,
  stompTransport,
  type TlsOptions,
  type Transport,
  webhookTransport,
} from "@plimsoll/notifier";
import { openOutbound, type ProxySettings } from "@plimsoll/outbound";
import { productVersion } from "../cli/product-version.ts";
import type { DeliverySettings } from "../config/notification-settings.ts";
import { readGivenFile } from "../config/read-given-file.ts";

const timeout = (delayMs: number): AbortSignal => AbortSignal.timeout(delayMs);

/** How long to wait for data from a broker or a receiver. */
const idleMs = 30_000;

/** The parts of a webhook transport besides its settings. */
export interface WebhookParts {
  /** The media type of the body. */
  readonly mediaType: string;
  /** Creates the token of a request. */
  readonly sign?: (() => Promise<string>) | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** For the time of a signature. */
  readonly clock: { now(): number };
}

const connectMs = 10_000;

/** Opens the transport of the settings; disposing `resources` closes its connections. */
export async function openTransport(
  settings: DeliverySettings,
  { mediaType, sign, proxy, clock }: WebhookParts,
  resources: AsyncDisposableStack,
): Promise<Transport> {
  switch (settings.kind) {
    case "webhook": {
      const userAgent = `plimsoll/${productVersion}`;
      const { kind: _, secret, ...call } = settings;
      const signing = secret !== undefined && { signing: { secret, now: () => clock.now() } };
      const { fetch } = resources.use(openOutbound({ policy: "trusted", proxy, connectMs, idleMs }));
      return webhookTransport({ ...call, mediaType, userAgent, fetch, timeout, ...signing, sign });
    }
    case "amqp": {
      const tls = await readTls(settings);
      return amqpTransport({
        ...settings,
        connect: connectAmqp({ tls, timeoutMs: idleMs, appId: "plimsoll" }),
        timeout,
      });
    }
    case "stomp": {
      const { tls, ...options } = settings;
      const connect = connectSocket({ tls: tls ? await readTls(settings) : undefined, idleMs });
      return stompTransport({ ...options, connect, timeout });
    }
  }
}

type BrokerSettings = Exclude<DeliverySettings, { readonly kind: "webhook" }>;

async function readTls({ ca, client }: BrokerSettings): Promise<TlsOptions> {
  return {
    ca: ca === undefined ? undefined : await readGivenFile("brokerCa", ca),
    ...(client && {
      cert: await readGivenFile("brokerCertificate", client.certificate),
      key: await readGivenFile("brokerKey", client.key),
    }),
  };
}
