import type { Updater } from "../plugins/updater.ts";
import { almaUpdater } from "./alma-errata/updater.ts";
import { amazonUpdater } from "./amazon-updateinfo/updater.ts";
import { archUpdater } from "./arch/updater.ts";
import { azurelinuxUpdater } from "./azurelinux-oval/updater.ts";
import { bitnamiUpdater } from "./bitnami/updater.ts";
import { bottlerocketUpdater } from "./bottlerocket-updateinfo/updater.ts";
import { debianTrackerUpdater } from "./debian-tracker/updater.ts";
import { fedoraUpdater } from "./fedora-updateinfo/updater.ts";
import { ghsaUpdater } from "./ghsa/updater.ts";
import { govulndbUpdater } from "./govulndb/updater.ts";
import { nodejsUpdater } from "./nodejs/updater.ts";
import { nvdCpeUpdater } from "./nvd-cpe/updater.ts";
import { openeulerUpdater } from "./openeuler/updater.ts";
import { oracleUpdater } from "./oracle-oval/updater.ts";
import { osvUpdater } from "./osv/updater.ts";
import { photonCveUpdater } from "./photon-cve/updater.ts";
import { photonUpdater } from "./photon-oval/updater.ts";
import { phpUpdater } from "./php/updater.ts";
import { pypaUpdater } from "./pypa/updater.ts";
import { redhatUpdater } from "./redhat-vex/updater.ts";
import { rockyUpdater } from "./rocky-updateinfo/updater.ts";
import { rubysecUpdater } from "./rubysec/updater.ts";
import { rustsecUpdater } from "./rustsec/updater.ts";
import { alpineSecdbUpdater, chainguardSecdbUpdater, wolfiSecdbUpdater } from "./secdb/updaters.ts";
import { suseUpdater } from "./suse-oval/updater.ts";
import { ubuntuUpdater } from "./ubuntu/updater.ts";

/** The updater of every feed that comes with the engine. */
export const allUpdaters: readonly Updater[] = [
  debianTrackerUpdater,
  osvUpdater(),
  alpineSecdbUpdater,
  wolfiSecdbUpdater,
  chainguardSecdbUpdater,
  amazonUpdater,
  archUpdater,
  azurelinuxUpdater,
  bottlerocketUpdater,
  fedoraUpdater,
  openeulerUpdater,
  oracleUpdater,
  photonUpdater,
  photonCveUpdater,
  redhatUpdater,
  suseUpdater,
  almaUpdater,
  rockyUpdater,
  ubuntuUpdater,
  bitnamiUpdater,
  ghsaUpdater,
  govulndbUpdater,
  nodejsUpdater,
  phpUpdater,
  pypaUpdater,
  rubysecUpdater,
  rustsecUpdater,
  nvdCpeUpdater,
];
