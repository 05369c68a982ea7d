import { adelie } from "./adelie.ts";
import { alinux } from "./alinux.ts";
import { almalinux } from "./almalinux.ts";
import { alpaquita } from "./alpaquita.ts";
import { alpine } from "./alpine.ts";
import { alt } from "./alt.ts";
import { altlinux } from "./altlinux.ts";
import { amzn } from "./amzn.ts";
import { anolis } from "./anolis.ts";
import { arch } from "./arch.ts";
import { archlinux } from "./archlinux.ts";
import { astra } from "./astra.ts";
import { azurelinux } from "./azurelinux.ts";
import { bottlerocket } from "./bottlerocket.ts";
import { buildroot } from "./buildroot.ts";
import { centos } from "./centos.ts";
import { chainguard } from "./chainguard.ts";
import { cloudlinux } from "./cloudlinux.ts";
import { cos } from "./cos.ts";
import { debian } from "./debian.ts";
import { deepin } from "./deepin.ts";
import { devuan } from "./devuan.ts";
import { elementary } from "./elementary.ts";
import { euleros } from "./euleros.ts";
import { eurolinux } from "./eurolinux.ts";
import { fedora } from "./fedora.ts";
import { flatcar } from "./flatcar.ts";
import { gentoo } from "./gentoo.ts";
import { kali } from "./kali.ts";
import { kylin } from "./kylin.ts";
import { linuxmint } from "./linuxmint.ts";
import { mageia } from "./mageia.ts";
import { manjaro } from "./manjaro.ts";
import { mariner } from "./mariner.ts";
import { minimos } from "./minimos.ts";
import { miraclelinux } from "./miraclelinux.ts";
import { nixos } from "./nixos.ts";
import { nobara } from "./nobara.ts";
import { ol } from "./ol.ts";
import { opencloudos } from "./opencloudos.ts";
import { openeuler } from "./openeuler.ts";
import { openmandriva } from "./openmandriva.ts";
import { opensuse } from "./opensuse.ts";
import { opensuseLeap } from "./opensuse-leap.ts";
import { opensuseTumbleweed } from "./opensuse-tumbleweed.ts";
import { openwrt } from "./openwrt.ts";
import { parrot } from "./parrot.ts";
import { photon } from "./photon.ts";
import { pop } from "./pop.ts";
import { postmarketos } from "./postmarketos.ts";
import { proxmox } from "./proxmox.ts";
import { pureos } from "./pureos.ts";
import { raspbian } from "./raspbian.ts";
import { rhcos } from "./rhcos.ts";
import { rhel } from "./rhel.ts";
import { rocky } from "./rocky.ts";
import { scientific } from "./scientific.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";
import { slMicro } from "./sl-micro.ts";
import { sleMicro } from "./sle-micro.ts";
import { sled } from "./sled.ts";
import { sles } from "./sles.ts";
import { slesSap } from "./sles_sap.ts";
import { suse } from "./suse.ts";
import { talos } from "./talos.ts";
import { tencentos } from "./tencentos.ts";
import { ubuntu } from "./ubuntu.ts";
import { uos } from "./uos.ts";
import { virtuozzo } from "./virtuozzo.ts";
import { wolfi } from "./wolfi.ts";

/** Every distribution that the engine knows, in the order of the identifiers. */
export const allDistributions: readonly KnownDistribution[] = [
  adelie,
  alinux,
  almalinux,
  alpaquita,
  alpine,
  alt,
  altlinux,
  amzn,
  anolis,
  arch,
  archlinux,
  astra,
  azurelinux,
  bottlerocket,
  buildroot,
  centos,
  chainguard,
  cloudlinux,
  cos,
  debian,
  deepin,
  devuan,
  elementary,
  euleros,
  eurolinux,
  fedora,
  flatcar,
  gentoo,
  kali,
  kylin,
  linuxmint,
  mageia,
  manjaro,
  mariner,
  minimos,
  miraclelinux,
  nixos,
  nobara,
  ol,
  opencloudos,
  openeuler,
  openmandriva,
  opensuse,
  opensuseLeap,
  opensuseTumbleweed,
  openwrt,
  parrot,
  photon,
  pop,
  postmarketos,
  proxmox,
  pureos,
  raspbian,
  rhcos,
  rhel,
  rocky,
  scientific,
  slMicro,
  sleMicro,
  sled,
  sles,
  slesSap,
  suse,
  talos,
  tencentos,
  ubuntu,
  uos,
  virtuozzo,
  wolfi,
];
