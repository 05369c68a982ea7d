/** Who makes packages that distributions do not ship, by the maintainer that their packages name: for dpkg, apk and pacman. */

/** A publisher of packages for several distributions, which do not ship them, and how to recognize these packages. */
interface Vendor {
  readonly name: string;
  /** Beginnings of `Maintainer` before the address, in lower case, whole words. */
  readonly makers: readonly string[];
  /** Domains of addresses; whole addresses if people of the domain also maintain packages of distributions. */
  readonly addresses: readonly string[];
  /** What a version of Debian's form has, for vendors that keep the distribution's maintainer. */
  readonly version?: RegExp;
}

/** The known vendors, and distributions whose packages are found in images of others. No maintainer of a package in Debian 12 matches any of them. */
const vendors: readonly Vendor[] = [
  { name: "amazon", makers: ["amazon"], addresses: ["amazon.com"] },
  { name: "archlinuxcn", makers: [], addresses: ["archlinuxcn.org"] },
  { name: "azul", makers: ["azul"], addresses: ["azul.com", "azulsystems.com"] },
  { name: "blackarch", makers: [], addresses: ["blackarch.org"] },
  { name: "brave", makers: [], addresses: ["brave.com"] },
  { name: "cachyos", makers: [], addresses: ["cachyos.org"] },
  { name: "cassandra", makers: [], addresses: ["cassandra.apache.org"] },
  { name: "chef", makers: ["chef software", "chef"], addresses: ["chef.io", "getchef.com"] },
  { name: "clickhouse", makers: ["clickhouse"], addresses: ["clickhouse.com"] },
  { name: "cloudflare", makers: ["cloudflare"], addresses: ["cloudflare.com"] },
  { name: "coder", makers: ["coder"], addresses: ["coder.com", "cdr.co"] },
  { name: "confluent", makers: ["confluent"], addresses: ["confluent.io"] },
  { name: "datadog", makers: ["datadog"], addresses: ["datadoghq.com"] },
  { name: "deb-multimedia", makers: [], addresses: ["deb-multimedia.org"], version: /[-+~.]dmo\d/ },
  { name: "docker", makers: [], addresses: ["docker.com"] },
  { name: "eclipse-adoptium", makers: ["eclipse adoptium"], addresses: ["eclipse.org"] },
  { name: "elastic", makers: ["elasticsearch"], addresses: ["elastic.co"] },
  { name: "erlang-solutions", makers: ["erlang solutions"], addresses: ["erlang-solutions.com"] },
  {
    name: "fluentd",
    makers: ["fluent-package", "treasure data"],
    addresses: ["fluentd.org", "treasure-data.com"],
  },
  { name: "garuda", makers: [], addresses: ["garudalinux.org"] }, // Chaotic-AUR
  { name: "github", makers: ["github"], addresses: ["github.com"] },
  { name: "gitlab", makers: ["gitlab"], addresses: ["gitlab.com"] },
  { name: "google", makers: ["google"], addresses: ["chromium-dev@chromium.org"] },
  { name: "grafana", makers: ["grafana"], addresses: ["grafana.com"] },
  { name: "graylog", makers: [], addresses: ["graylog.com"] },
  { name: "hashicorp", makers: ["hashicorp"], addresses: ["hashicorp.com"] },
  { name: "influxdata", makers: ["influxdata"], addresses: ["influxdata.com", "influxdb.com"] },
  { name: "jenkins", makers: ["jenkins"], addresses: ["jenkinsci-dev@googlegroups.com", "jenkins.io"] },
  { name: "Kali Linux", makers: [], addresses: ["devel@kali.org"], version: /(?:[-+~.]|\d)kali\d/ },
  { name: "kubernetes", makers: ["kubernetes authors"], addresses: ["kubernetes.io"] },
  { name: "launchpad", makers: [], addresses: [], version: /~ppa\d/ },
  { name: "Manjaro Linux", makers: [], addresses: ["manjaro.org"] },
  { name: "mariadb", makers: [], addresses: ["mariadb.com"], version: /\+maria~/ },
  {
    name: "microsoft",
    makers: ["microsoft", "powershell team"],
    addresses: ["microsoft.com", "dotnetfoundation.org"],
  },
  { name: "mongodb", makers: ["mongodb"], addresses: ["mongodb.com"] },
  { name: "mysql", makers: ["mysql release engineering"], addresses: ["oss.oracle.com"] },
  { name: "n8n", makers: ["n8n"], addresses: ["n8n.io"] },
  { name: "neo4j", makers: [], addresses: ["neo4j.com", "neotechnology.com"] },
  { name: "newrelic", makers: ["new relic"], addresses: ["newrelic.com"] },
  { name: "nginx", makers: ["nginx packaging"], addresses: ["nginx.com", "nginx.org", "f5.com"] },
  { name: "nodesource", makers: ["nodesource"], addresses: ["nodesource.com"], version: /nodesource/ },
  { name: "nvidia", makers: ["nvidia", "cudatools"], addresses: ["cudatools@nvidia.com"] },
  { name: "percona", makers: ["percona"], addresses: ["percona.com"] },
  { name: "postgresql", makers: [], addresses: [], version: /\.pgdg/ },
  { name: "Proxmox VE", makers: [], addresses: ["proxmox.com"], version: /[-+~.](?:pmx|pve)\d/ },
  { name: "puppet", makers: ["puppet labs", "puppet by perforce"], addresses: ["puppetlabs.com"] },
  { name: "rabbitmq", makers: ["rabbitmq team"], addresses: ["rabbitmq.com"] },
  { name: "Raspberry Pi OS", makers: [], addresses: ["raspberrypi.com", "raspberrypi.org"], version: /[-+~.]rp[it]\d/ },
  { name: "redis", makers: [], addresses: ["redis.io", "redis.com"] },
  { name: "sensu", makers: ["sensu"], addresses: ["sensu.io", "sensuapp.org"] },
  { name: "sgerrand", makers: [], addresses: ["alpine-pkgs@sgerrand.com"] },
  { name: "slack", makers: ["slack technologies"], addresses: ["slack-corp.com", "slack.com"] },
  // its builds are snapshots, of which the newer ones name the distribution: `8.2.13-1+0~20231125.37+debian12~1.gbp2dc5f8`
  { name: "sury", makers: [], addresses: [], version: /\+deb\.sury\.org|\+0~20\d{6}\.\d{1,5}\+(?:debian|ubuntu)\d/ },
  { name: "sysdig", makers: [], addresses: ["sysdig.com"] },
  { name: "tailscale", makers: ["tailscale"], addresses: ["tailscale.com"] },
  { name: "teamviewer", makers: [], addresses: ["teamviewer.com"] },
  { name: "timescale", makers: [], addresses: ["timescale.com"] },
  { name: "ubiquiti", makers: [], addresses: ["ubnt.com", "ui.com"] },
  { name: "Ubuntu Linux", makers: [], addresses: [], version: /ubuntu\d/ },
  { name: "wazuh", makers: [], addresses: ["wazuh.com"] },
  { name: "yarn", makers: ["yarn developers"], addresses: ["yarn@dan.cx", "yarnpkg.com"] },
  { name: "zabbix", makers: [], addresses: ["zabbix.com"] },
  { name: "zoom", makers: [], addresses: ["zoom.us"] },
];

/** The vendor whose mark a version of Debian's form has: `22.1.0-1nodesource1`. */
export function vendorOfVersion(text: string): string | undefined {
  return vendors.find(({ version }) => version?.test(text))?.name;
}

/** The known vendor that a maintainer is of. */
export function vendorOfMaintainer({ maker, address }: Maintainer): string | undefined {
  return findFirst(byAddress, placesOf(address)) ?? findFirst(byMaker, beginningsOf(maker));
}

/**
 * Who made a package of pacman, if that is known not to be Arch Linux. makepkg writes `Unknown Packager` where its settings name none, as on computers of those who
 * build packages of the AUR for themselves.
 * @see https://man.archlinux.org/man/makepkg.conf.5 PACKAGER
 */
export function thirdPartyOfPackager(packager: string | undefined): string | undefined {
  if (packager === "Unknown Packager") return packager;
  return packager === undefined ? undefined : vendorOfMaintainer(parseMaintainer(packager));
}

const byAddress = new Map(
  vendors.flatMap(({ name, addresses }) => addresses.map((address) => [address, name] as const)),
);
const byMaker = new Map(vendors.flatMap(({ name, makers }) => makers.map((maker) => [maker, name] as const)));

/** The two parts of a maintainer, in lower case; empty if the text does not have them. */
export interface Maintainer {
  readonly maker: string;
  readonly address: string;
}

/** Parses `NodeSource <nodesource@example.com>`, a name alone, or an address alone. */
export function parseMaintainer(maintainer: string): Maintainer {
  const [maker = "", address = ""] = maintainer.toLowerCase().split("<", 2);
  const alone = address === "" && maker.includes("@"); // an address without a name
  return {
    maker: alone ? "" : maker.replaceAll('"', "").trim(),
    address: ((alone ? maker : address).split(/[>,]/, 1)[0] ?? "").trim(),
  };
}

/** `a@b.c.org` → `a@b.c.org`, `b.c.org`, `c.org`, `org`. An address of GitHub that hides a person's own says nothing. */
export function placesOf(address: string): string[] {
  if (address.endsWith("@users.noreply.github.com")) return [];
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
