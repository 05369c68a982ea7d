import {
  amqpTransport,
  connectAmqp,
  connectSocket,
  stompTransport,
  type TlsOptions,
  type Transport,
  webhookTransport,
} from "@plimsoll/notifier";
import { productVersion } from "../cli/product-version.ts";
import type { DeliverySettings } from "../config/notification-settings.ts";
import { readGivenFile } from "../config/read-given-file.ts";
import { trustedFetch } from "./trusted-fetch.ts";

const timeout = (delayMs: number): AbortSignal => AbortSignal.timeout(delayMs);

/** How long a broker may be silent. */
const idleMs = 30_000;

/** The transport of the settings. @param mediaType of a webhook body; @param sign makes the token of a webhook call */
export async function openTransport(
  settings: DeliverySettings,
  mediaType: string,
  sign?: () => Promise<string>,
): Promise<Transport> {
  switch (settings.kind) {
    case "webhook": {
      const userAgent = `plimsoll/${productVersion}`;
      const { kind: _, ...call } = settings;
      return webhookTransport({ ...call, mediaType, userAgent, fetch: trustedFetch, timeout, ...(sign && { sign }) });
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
      const connect = connectSocket({ ...(tls && { tls: await readTls(settings) }), idleMs });
      return stompTransport({ ...options, connect, timeout });
    }
  }
}

type BrokerSettings = Exclude<DeliverySettings, { readonly kind: "webhook" }>;

async function readTls({ ca, client }: BrokerSettings): Promise<TlsOptions> {
  return {
    ...(ca !== undefined && { ca: await readGivenFile("brokerCa", ca) }),
    ...(client && {
      cert: await readGivenFile("brokerCertificate", client.certificate),
      key: await readGivenFile("brokerKey", client.key),
    }),
  };
}
