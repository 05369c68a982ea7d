import type { DpkgPackage } from "./status.ts";

/** A publisher of packages that Debian and Ubuntu do not ship, and how to recognize these packages. */
interface Vendor {
  readonly name: string;
  /** Beginnings of `Maintainer` before the address, in lower case, whole words. */
  readonly makers: readonly string[];
  /** Domains of addresses; whole addresses if people of the domain also maintain packages of Debian. */
  readonly addresses: readonly string[];
  /** Parts of the version, for vendors that keep the distribution's maintainer. */
  readonly versions: readonly string[];
}

/** The known vendors. No maintainer of a package in Debian 12 matches any of them. */
const vendors: readonly Vendor[] = [
  { name: "amazon", makers: ["amazon"], addresses: ["amazon.com"], versions: [] },
  { name: "azul", makers: ["azul"], addresses: ["azul.com", "azulsystems.com"], versions: [] },
  { name: "chef", makers: ["chef software", "chef"], addresses: ["chef.io", "getchef.com"], versions: [] },
  { name: "clickhouse", makers: ["clickhouse"], addresses: ["clickhouse.com"], versions: [] },
  { name: "cloudflare", makers: ["cloudflare"], addresses: ["cloudflare.com"], versions: [] },
  { name: "coder", makers: ["coder"], addresses: ["coder.com", "cdr.co"], versions: [] },
  { name: "confluent", makers: ["confluent"], addresses: ["confluent.io"], versions: [] },
  { name: "datadog", makers: ["datadog"], addresses: ["datadoghq.com"], versions: [] },
  { name: "docker", makers: [], addresses: ["docker.com"], versions: [] },
  { name: "eclipse-adoptium", makers: ["eclipse adoptium"], addresses: ["eclipse.org"], versions: [] },
  { name: "elastic", makers: ["elasticsearch"], addresses: ["elastic.co"], versions: [] },
  { name: "erlang-solutions", makers: ["erlang solutions"], addresses: ["erlang-solutions.com"], versions: [] },
  {
    name: "fluentd",
    makers: ["fluent-package", "treasure data"],
    addresses: ["fluentd.org", "treasure-data.com"],
    versions: [],
  },
  { name: "github", makers: ["github"], addresses: ["github.com"], versions: [] },
  { name: "gitlab", makers: ["gitlab"], addresses: ["gitlab.com"], versions: [] },
  { name: "google", makers: ["google"], addresses: ["chromium-dev@chromium.org"], versions: [] },
  { name: "grafana", makers: ["grafana"], addresses: ["grafana.com"], versions: [] },
  { name: "hashicorp", makers: ["hashicorp"], addresses: ["hashicorp.com"], versions: [] },
  { name: "influxdata", makers: ["influxdata"], addresses: ["influxdata.com", "influxdb.com"], versions: [] },
  { name: "jenkins", makers: ["jenkins"], addresses: ["jenkinsci-dev@googlegroups.com", "jenkins.io"], versions: [] },
  { name: "kubernetes", makers: ["kubernetes authors"], addresses: ["kubernetes.io"], versions: [] },
  {
    name: "microsoft",
    makers: ["microsoft", "powershell team"],
    addresses: ["microsoft.com", "dotnetfoundation.org"],
    versions: [],
  },
  { name: "mariadb", makers: [], addresses: ["mariadb.com"], versions: ["+maria~"] },
  { name: "mongodb", makers: ["mongodb"], addresses: ["mongodb.com"], versions: [] },
  { name: "mysql", makers: ["mysql release engineering"], addresses: ["oss.oracle.com"], versions: [] },
  { name: "n8n", makers: ["n8n"], addresses: ["n8n.io"], versions: [] },
  { name: "newrelic", makers: ["new relic"], addresses: ["newrelic.com"], versions: [] },
  { name: "nginx", makers: ["nginx packaging"], addresses: ["nginx.com", "nginx.org", "f5.com"], versions: [] },
  { name: "nodesource", makers: ["nodesource"], addresses: ["nodesource.com"], versions: ["nodesource"] },
  { name: "nvidia", makers: ["nvidia", "cudatools"], addresses: ["cudatools@nvidia.com"], versions: [] },
  { name: "percona", makers: ["percona"], addresses: ["percona.com"], versions: [] },
  { name: "postgresql", makers: [], addresses: [], versions: [".pgdg"] },
  { name: "puppet", makers: ["puppet labs", "puppet by perforce"], addresses: ["puppetlabs.com"], versions: [] },
  { name: "rabbitmq", makers: ["rabbitmq team"], addresses: ["rabbitmq.com"], versions: [] },
  { name: "redis", makers: [], addresses: ["redis.io", "redis.com"], versions: [] },
  { name: "sensu", makers: ["sensu"], addresses: ["sensu.io", "sensuapp.org"], versions: [] },
  { name: "slack", makers: ["slack technologies"], addresses: ["slack-corp.com", "slack.com"], versions: [] },
  { name: "sury", makers: [], addresses: [], versions: ["+deb.sury.org"] },
  { name: "tailscale", makers: ["tailscale"], addresses: ["tailscale.com"], versions: [] },
  { name: "yarn", makers: ["yarn developers"], addresses: ["yarn@dan.cx", "yarnpkg.com"], versions: [] },
];

/** Domains of the distributions' own maintainers, whatever their names begin with. */
const distributionDomains: ReadonlySet<string> = new Set(["debian.org", "debian.net", "ubuntu.com", "canonical.com"]);

/**
 * The maker of a package that is known to be neither Debian's nor Ubuntu's; undefined for all others. The distribution's
 * advisories are not about such packages. Fields that Debian does not have, and an address that no mail reaches, are those of packaging
 * tools (fpm, nfpm): then the maker is as the package says.
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#the-main-section-of-debian-control-files
 * @example
 * findThirdParty({ maintainer: "NodeSource <nodesource@example.com>", version: "22.1.0-1nodesource1" });
 */
export function findThirdParty(
  found: Pick<DpkgPackage, "maintainer" | "version" | "vendor" | "license" | "section">,
): string | undefined {
  const marked = vendors.find(({ versions }) => versions.some((mark) => found.version.includes(mark)));
  if (marked !== undefined) return marked.name;
  const { maker, address } = parseMaintainer(found.maintainer ?? "");
  const places = placesOf(address);
  const known = findFirst(byAddress, places) ?? findFirst(byMaker, beginningsOf(maker));
  if (isPackagedElsewhere(found, address)) return known ?? (found.vendor || maker || address || "unknown");
  return places.some((place) => distributionDomains.has(place)) ? undefined : known;
}

/**
 * Whether a package says that Debian or Ubuntu made it: its maintainer has an address of theirs. Some maintainers of Debian have only addresses of their own, as
 * anyone has who makes packages, so that other packages are not known to be made by others.
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#maintainer
 */
export function namesDistribution({ maintainer = "" }: Pick<DpkgPackage, "maintainer">): boolean {
  return placesOf(parseMaintainer(maintainer).address).some((place) => distributionDomains.has(place));
}

/** Whether a package was made by a tool that distributions do not use. `default` is the section that fpm writes. */
function isPackagedElsewhere(
  { vendor, license, section }: Pick<DpkgPackage, "vendor" | "license" | "section">,
  address: string,
): boolean {
  const isUnreachable = address.includes("@") && !address.slice(address.indexOf("@")).includes(".");
  return vendor !== undefined || license !== undefined || section === "default" || isUnreachable;
}

const byAddress = new Map(
  vendors.flatMap(({ name, addresses }) => addresses.map((address) => [address, name] as const)),
);
const byMaker = new Map(vendors.flatMap(({ name, makers }) => makers.map((maker) => [maker, name] as const)));

function parseMaintainer(maintainer: string): { readonly maker: string; readonly address: string } {
  const [maker = "", address = ""] = maintainer.toLowerCase().split("<", 2);
  const alone = address === "" && maker.includes("@"); // an address without a name
  return {
    maker: alone ? "" : maker.replaceAll('"', "").trim(),
    address: ((alone ? maker : address).split(/[>,]/, 1)[0] ?? "").trim(),
  };
}

/** `a@b.c.org` → `a@b.c.org`, `b.c.org`, `c.org`, `org`. */
function placesOf(address: string): string[] {
  const domain = address.slice(address.indexOf("@") + 1);
  const labels = domain.split(".", 8);
  return [address, ...labels.map((_, index) => labels.slice(index).join("."))];
}

/** `a b c` → `a`, `a b`, `a b c`. */
function beginningsOf(maker: string): string[] {
  const words = maker.split(" ", 4);
  return words.map((_, index) => words.slice(0, index + 1).join(" "));
}

function findFirst(names: ReadonlyMap<string, string>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const name = names.get(key);
    if (name !== undefined) return name;
  }
  return undefined;
}
