import type { Ecosystem } from "../plugins/ecosystem.ts";
import { apk } from "./apk/index.ts";
import { bitnami } from "./bitnami/index.ts";
import { cocoapods } from "./cocoapods/index.ts";
import { conan } from "./conan/index.ts";
import { conda } from "./conda/index.ts";
import { cpe } from "./cpe/index.ts";
import { dart } from "./dart/index.ts";
import { dotnet } from "./dotnet/index.ts";
import { dpkg } from "./dpkg/index.ts";
import { erlang } from "./erlang/index.ts";
import { flatpak } from "./flatpak/index.ts";
import { go } from "./go/index.ts";
import { haskell } from "./haskell/index.ts";
import { homebrew } from "./homebrew/index.ts";
import { java } from "./java/index.ts";
import { knownPrograms } from "./known-programs/index.ts";
import { linux } from "./linux/index.ts";
import { lua } from "./lua/index.ts";
import { nix } from "./nix/index.ts";
import { npm } from "./npm/index.ts";
import { otp } from "./otp/index.ts";
import { pacman } from "./pacman/index.ts";
import { pear } from "./pear/index.ts";
import { perl } from "./perl/index.ts";
import { php } from "./php/index.ts";
import { portage } from "./portage/index.ts";
import { python } from "./python/index.ts";
import { r } from "./r/index.ts";
import { redhatContainer } from "./redhat-container/index.ts";
import { rpm } from "./rpm/index.ts";
import { ruby } from "./ruby/index.ts";
import { rust } from "./rust/index.ts";
import { sbom } from "./sbom/index.ts";
import { snap } from "./snap/index.ts";
import { swift } from "./swift/index.ts";
import { vcpkg } from "./vcpkg/index.ts";
import { wordpress } from "./wordpress/index.ts";

/** All ecosystems of the engine. */
export const allEcosystems: readonly Ecosystem[] = [
  linux,
  dpkg,
  apk,
  rpm,
  redhatContainer,
  java,
  npm,
  python,
  go,
  rust,
  ruby,
  php,
  dotnet,
  erlang,
  otp,
  r,
  perl,
  lua,
  haskell,
  dart,
  pear,
  conda,
  conan,
  vcpkg,
  swift,
  cocoapods,
  pacman,
  portage,
  nix,
  snap,
  flatpak,
  homebrew,
  sbom,
  bitnami,
  cpe,
  wordpress,
  knownPrograms,
];
