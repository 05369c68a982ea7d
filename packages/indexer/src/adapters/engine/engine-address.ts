import type { HostTls } from "@plimsoll/outbound";

/** Where a container engine answers: a Unix socket of this machine, or a host. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "host"; readonly url: URL; readonly tls: HostTls };

/** The container engines whose stores are read. */
export const engineNames = ["docker", "podman", "containerd"] as const;

/** One of {@link engineNames}. */
export type EngineName = (typeof engineNames)[number];

/** Says where a container engine answers. Addresses are looked for when an image is opened. */
export interface EngineHosts {
  /** The namespaces of containerd in which an image is looked for, in this order: `default`, then `k8s.io` where absent. */
  readonly namespaces?: readonly string[];
  /** @throws ScanError `unsupported_source` for an address of a kind that is not spoken to, `not_found` where there is no engine */
  find(engine: EngineName): Promise<EngineAddress>;
}

/** As a user writes the address. */
export function formatEngineAddress(address: EngineAddress): string {
  return address.kind === "socket" ? `unix://${address.path}` : address.url.origin;
}
