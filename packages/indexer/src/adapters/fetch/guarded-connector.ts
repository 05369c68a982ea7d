import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ScanError } from "@plimsoll/core";
import type { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

/** How connections are made. */
export interface ConnectorOptions {
  readonly guard: AddressGuard;
  readonly timeoutMs: number;
  /** Certificates to trust in place of the platform's: PEM. */
  readonly ca?: string;
  /** Asks for the addresses of a name; the system's resolver where absent. */
  readonly lookup?: LookupFunction;
  /** Told of every address that was not connected to: for a log, not for whoever asked. */
  readonly onRefused?: (refused: RefusedAddress) => void;
}

/** A host that is not permitted, and the addresses that it has. */
export interface RefusedAddress {
  readonly host: string;
  readonly addresses: readonly string[];
}

/**
 * Connects to permitted addresses only. The address that is checked is the one that is connected to, at every connection:
 * neither a redirect nor a name that changes its address between two questions leads elsewhere.
 */
export function guardedConnector(options: ConnectorOptions, build: typeof buildConnector): buildConnector.connector {
  const { guard, timeoutMs, ca } = options;
  const connect = build({
    timeout: timeoutMs,
    allowH2: false,
    lookup: guardedLookup(options),
    ...(ca !== undefined && { ca }),
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !guard.permits(host)) return callback(refuse(options, host, [host]), null);
    return connect(target, callback);
  };
}

/** Names are resolved when connecting; addresses that are not permitted are as if they were not there. */
function guardedLookup(options: ConnectorOptions): LookupFunction {
  const { guard, lookup = systemLookup as LookupFunction } = options;
  return (hostname, asked, callback) => {
    lookup(hostname, { ...asked, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const addresses = Array.isArray(found) ? found : [];
      const permitted = addresses.filter(({ address }) => guard.permits(address));
      const [first] = permitted;
      if (first === undefined) {
        const refused = addresses.map(({ address }) => address);
        return callback(refuse(options, hostname, refused), "");
      }
      return asked.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

/** The error does not say which address: whoever asks would learn of a network that is not theirs. */
export function refuse({ onRefused }: ConnectorOptions, host: string, addresses: readonly string[]): ScanError {
  onRefused?.({ host, addresses });
  return new ScanError(
    "not_permitted",
    "it leads to an address that is not on the public internet; the configuration can allow layers from there",
  );
}
