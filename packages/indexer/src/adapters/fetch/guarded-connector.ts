import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ScanError } from "@plimsoll/core";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

/** How connections are made. */
export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly timeoutMs: number;
  /** Certificates to trust in place of the platform's: PEM. */
  readonly ca?: string;
  /** Asks for the addresses of a name; the system's resolver where absent. */
  readonly lookup?: LookupFunction;
}

/**
 * Connects to permitted addresses only. The address that is checked is the one that is connected to, at every connection:
 * neither a redirect nor a name that changes its address between two questions leads elsewhere.
 */
export function guardedConnector({ guard, timeoutMs, ca, lookup }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: guardedLookup(guard, lookup ?? systemLookup),
    ...(ca !== undefined && { ca }),
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !guard.permits(host)) return callback(refusal(host), null);
    return connect(options, callback);
  };
}

/** Names are resolved when connecting; addresses that are not permitted are as if they were not there. */
function guardedLookup(guard: AddressGuard, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const addresses = Array.isArray(found) ? found : [];
      const permitted = addresses.filter(({ address }) => guard.permits(address));
      const [first] = permitted;
      if (first === undefined) return callback(refusal(hostname), "");
      return options.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

/** Does not say which address: whoever asks would learn of a network that is not theirs. */
function refusal(host: string): ScanError {
  return new ScanError(
    "not_permitted",
    `${host} is not on the public internet: allow its address in the configuration if layers may come from there`,
  );
}
