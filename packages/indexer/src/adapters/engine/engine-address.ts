import type { HostTls } from "@plimsoll/outbound";

/** The address of a container engine: a Unix socket of this machine, or a host. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "host"; readonly url: URL; readonly tls: HostTls };

/** The supported container engines. */
export const engineNames = ["docker", "podman", "containerd"] as const;

/** One of {@link engineNames}. */
export type EngineName = (typeof engineNames)[number];

/** Finds the addresses of container engines. It is called when an image is opened. */
export interface EngineHosts {
  /** The namespaces of containerd to search, in this order. Default: `default`, then `k8s.io`. */
  readonly namespaces?: readonly string[];
  /** @throws ScanError `unsupported_source` for an unsupported kind of address, `not_found` if there is no engine */
  find(engine: EngineName): Promise<EngineAddress>;
}

/** Formats an address as users write it. */
export function formatEngineAddress(address: EngineAddress): string {
  return address.kind === "socket" ? `unix://${address.path}` : address.url.origin;
}
