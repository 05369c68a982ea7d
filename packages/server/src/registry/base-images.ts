import { fixedCredential, hostCertificates, hostEnvironment, openRemoteRepository } from "@plimsoll/indexer";
import type { BaseImages, OwnRegistry } from "@plimsoll/registry";
import { hostPlatform } from "@plimsoll/scanner";
import { type OutgoingOptions, outgoingPolicy } from "./outgoing-policy.ts";

/**
 * Opens the repositories of base images. A Dockerfile chooses their registries, their redirects and token services, so internal addresses
 * that are not allowed are refused. Only the registry itself is one that the operator chose.
 */
export function guardedBaseImages(options: OutgoingOptions): BaseImages {
  const guarded = { policy: outgoingPolicy(options), proxy: options.proxy };
  const certificates = authoritiesOf(hostCertificates(hostEnvironment()));
  return {
    platform: hostPlatform(),
    open({ host, path }, own) {
      const repository = { registry: host, repository: path };
      const isOwn = host.toLowerCase() === own.host.toLowerCase();
      const common = { certificates, retry: { attempts: 2 } };
      return openRemoteRepository(repository, { ...common, ...(isOwn ? ownOptions(own) : guarded) });
    },
  };
}

function ownOptions({ scheme, host, login }: OwnRegistry) {
  return {
    policy: "trusted" as const,
    insecure: scheme === "http" ? [host] : [],
    credentials: fixedCredential(host, { kind: "basic", ...login }),
  };
}

type Certificates = ReturnType<typeof hostCertificates>;

/** The authorities that the machine trusts for a host, without its client certificates: a tenant's request must not use those. */
function authoritiesOf(certificates: Certificates): Certificates {
  return (host) => {
    const ca = certificates(host)?.ca;
    return ca === undefined ? undefined : { ca };
  };
}
