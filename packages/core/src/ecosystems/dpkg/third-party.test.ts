import { describe, expect, it } from "vitest";
import { findThirdParty, namesDistribution } from "./third-party.ts";

describe("findThirdParty", () => {
  it.each<[maintainer: string | undefined, version: string, vendor: string | undefined]>([
    ["Docker <support@docker.com>", "5:27.0.3-1~debian.12~bookworm", "docker"],
    ["cudatools <cudatools@nvidia.com>", "11.8.0-1", "nvidia"],
    ["NVIDIA CORPORATION <cudatools@nvidia.com>", "1.0", "nvidia"],
    ["HashiCorp", "1.10.0-1", "hashicorp"],
    ["HashiCorp Vagrant Team <team-vagrant@hashicorp.com>", "2.3.4", "hashicorp"],
    ["Microsoft Corporation <vscode-linux@microsoft.com>", "1.90.0", "microsoft"],
    ["Azure Python CLI Team <azpycli@microsoft.com>", "2.61.0-1~bookworm", "microsoft"],
    [".NET Team <dotnetpackages@dotnetfoundation.org>", "5.0.2-1", "microsoft"],
    ["MongoDB Packaging <packaging@mongodb.com>", "6.0.5", "mongodb"],
    ["Ivan Iguaran <ivan@nodesource.com>", "18.14.0-deb-1nodesource1", "nodesource"],
    ["NodeSource <nodejs@nodesource.com>", "22.22.2-1nyx1", "nodesource"],
    ["Debian PostgreSQL Maintainers <team+postgresql@tracker.debian.org>", "16.3-1.pgdg120+1", "postgresql"],
    ["NGINX Packaging <nginx-packaging@f5.com>", "1.27.0-1~bookworm", "nginx"],
    ["Grafana Labs <support@grafana.com>", "11.0.0", "grafana"],
    ["Elasticsearch Team <info@elastic.co>", "8.14.0", "elastic"],
    ["Chrome Linux Team <chromium-dev@chromium.org>", "126.0.6478.55-1", "google"],
    ["GitHub", "2.50.0", "github"],
    ["MySQL Release Engineering <mysql-build@oss.oracle.com>", "8.0.37-1debian12", "mysql"],
    ["Debian PHP Maintainers <team+pkg-php@tracker.debian.org>", "8.3.8-1+0~20240609.40+deb.sury.org~1", "sury"],
    ["Docker Compose Team <team+docker-compose@tracker.debian.org>", "1.29.2-3", undefined],
    ["Debian MongoDB Maintainers <team+mongodb@tracker.debian.org>", "1:3.4.18-2", undefined],
    ["Debian NVIDIA Maintainers <pkg-nvidia-devel@lists.alioth.debian.org>", "525.147", undefined],
    ["Mongo C Driver Team <mongo-c-driver-debian@googlegroups.com>", "1.23.1-1", undefined],
    ["Brandon Weeks <bweeks@google.com>", "0.4.4-1", undefined],
    ["Alex Doyle <adoyle@nvidia.com>", "1.0-1", undefined],
    ["Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>", "1.18.0-0ubuntu1", "Ubuntu Linux"],
    ["Debian PHP Maintainers <team@tracker.debian.org>", "8.2.13-1+0~20231125.37+debian12~1.gbp2dc5f8", "sury"],
    ["Christian Marillat <marillat@deb-multimedia.org>", "10:6.1.1-dmo1", "deb-multimedia"],
    ["Christian Marillat <marillat@debian.org>", "10:5.1.4-dmo1+deb12u1", "deb-multimedia"],
    ["Kali Developers <devel@kali.org>", "8.4.0-2", "Kali Linux"],
    ["Alessandro Ghedini <ghedo@debian.org>", "8.4.0-2+kali1", "Kali Linux"],
    ["Alessandro Ghedini <ghedo@debian.org>", "7.88.1-10+rpi1+deb12u4", "Raspberry Pi OS"],
    ["Alessandro Ghedini <ghedo@debian.org>", "7.88.1-10+rpt2", "Raspberry Pi OS"],
    ["Proxmox Support Team <support@proxmox.com>", "8.2.4", "Proxmox VE"],
    ["Debian QEMU Team <pkg-qemu-devel@lists.alioth.debian.org>", "2.0.1-1~pve1", "Proxmox VE"],
    ["Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>", "7.81.0-1~ppa1", "launchpad"],
    ["Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>", "5.3.7-5", undefined], // of Debian, too
    ["GCC Maintainers <debian-gcc@lists.debian.org>", "12.2.0-14+deb12u1+25.2+b1", undefined],
    ["Thomas Goirand <zigo@debian.org>", "2.6+debian.4-4", undefined],
    ["Theodore Y. Ts'o <tytso@mit.edu>", "1.47.0-2", undefined],
    ["Jane Doe <jane@gmail.com>", "1.0", undefined], // as of many packages of Debian
    ["Somebody <1+somebody@users.noreply.github.com>", "1", undefined],
    ["Somebody <somebody@notdocker.com>", "1", undefined],
    ["Googlers Anonymous <x@example.org>", "1", undefined],
    ["contact@grafana.com", "11.0.0", "grafana"],
    ["https://www.jenkins.io/ <jenkinsci-dev@googlegroups.com>", "2.440.1", "jenkins"],
    ["<root@6f0c1e6d2a4b>", "1.0.0", "root@6f0c1e6d2a4b"],
    ["Acme <builder@localhost>", "1.0.0", "acme"],
    [undefined, "1", undefined],
    ["", "1", undefined],
  ])("names the maker of a package of %j with the version %s: %s", (maintainer, version, vendor) => {
    expect(findThirdParty({ version, maintainer })).toBe(vendor);
  });

  it.each([{ vendor: "Acme Inc" }, { license: "unknown" }, { section: "default" }])(
    "names the maker of a package with fields that no package of Debian has: %j",
    (fields) => {
      const maintainer = "Acme Inc <dev@acme.example>";

      expect(findThirdParty({ version: "1.0.0", maintainer, ...fields })?.toLowerCase()).toBe("acme inc");
      expect(findThirdParty({ version: "1.0.0", maintainer, section: "utils" })).toBeUndefined();
    },
  );
});

describe("namesDistribution", () => {
  it.each([
    ["Debian Python Team <team+python@tracker.debian.org>", true],
    ["Debian Python Team <team+python@tracker.debian.org>,", true],
    ["OpenJDK Team <openjdk-17@packages.debian.org>", true],
    ["Ubuntu Developers <ubuntu-devel-discuss@lists.ubuntu.com>", true],
    ["root@debian.org", true],
    ["Theodore Y. Ts'o <tytso@mit.edu>", false],
    ["Acme Inc <dev@acme.example>", false],
    ["Acme <dev@notdebian.org>", false],
    ["debian.org", false],
    ["", false],
    [undefined, false],
  ])("tells whether %j is of the distribution: %j", (maintainer, expected) => {
    expect(namesDistribution({ maintainer })).toBe(expected);
  });
});
