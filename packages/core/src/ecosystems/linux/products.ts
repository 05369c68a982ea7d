/** A distribution as release files without an identifier name it. */
export interface Product {
  /** What the name begins with. */
  readonly prefix: string;
  /** What os-release of the same distribution has as `ID`. */
  readonly did: string;
}

/** Of two that fit, the first one counts. */
const products: readonly Product[] = [
  { prefix: "Alpine Linux", did: "alpine" },
  { prefix: "AlmaLinux", did: "almalinux" },
  { prefix: "Amazon Linux", did: "amzn" },
  { prefix: "Anolis OS", did: "anolis" },
  { prefix: "CBL-Mariner", did: "mariner" },
  { prefix: "CentOS", did: "centos" },
  { prefix: "Chainguard", did: "chainguard" },
  { prefix: "CloudLinux", did: "cloudlinux" },
  { prefix: "Debian GNU/Linux", did: "debian" },
  { prefix: "Enterprise Linux Enterprise Linux", did: "ol" },
  { prefix: "EulerOS", did: "euleros" },
  { prefix: "Fedora", did: "fedora" },
  { prefix: "Microsoft Azure Linux", did: "azurelinux" },
  { prefix: "openEuler", did: "openeuler" },
  { prefix: "openSUSE Leap", did: "opensuse-leap" },
  { prefix: "openSUSE Tumbleweed", did: "opensuse-tumbleweed" },
  { prefix: "openSUSE", did: "opensuse" },
  { prefix: "Oracle Linux", did: "ol" },
  { prefix: "Red Hat Enterprise Linux CoreOS", did: "rhcos" },
  { prefix: "Red Hat Enterprise Linux", did: "rhel" },
  { prefix: "Rocky Linux", did: "rocky" },
  { prefix: "Scientific Linux", did: "scientific" },
  { prefix: "SUSE Linux Enterprise Server", did: "sles" },
  { prefix: "SUSE Linux Enterprise Desktop", did: "sled" },
  { prefix: "Ubuntu", did: "ubuntu" },
  { prefix: "Virtuozzo", did: "virtuozzo" },
  { prefix: "VMware Photon", did: "photon" },
  { prefix: "Wolfi", did: "wolfi" },
];

/** The distribution whose name a text begins with. */
export function findProduct(text: string): Product | undefined {
  return products.find(({ prefix }) => text.startsWith(prefix));
}

/** What CPE names call distributions, `vendor:product`. */
const cpeProducts: ReadonlyMap<string, string> = new Map([
  ["almalinux:almalinux", "almalinux"],
  ["amazon:amazon_linux", "amzn"],
  ["amazon:linux", "amzn"],
  ["centos:centos", "centos"],
  ["centos:linux", "centos"],
  ["fedoraproject:fedora", "fedora"],
  ["opensuse:leap", "opensuse-leap"],
  ["oracle:linux", "ol"],
  ["redhat:enterprise_linux", "rhel"],
  ["rocky:rocky", "rocky"],
  ["suse:sles", "sles"],
]);

/** The distribution and version that an operating system's CPE name speaks of. */
export function findCpeProduct(cpe: string): { readonly did: string; readonly version: string } | undefined {
  const [, vendor, product, version = ""] = /^cpe:(?:\/|2\.3:)o:([^:]*):([^:]*)(?::([^:]*))?/i.exec(cpe) ?? [];
  const did = cpeProducts.get(`${vendor}:${product}`.toLowerCase());
  return did === undefined ? undefined : { did, version };
}
