import type { Updater } from "../plugins/updater.ts";
import { almaUpdater } from "./alma-errata/updater.ts";
import { amazonUpdater } from "./amazon-updateinfo/updater.ts";
import { archUpdater } from "./arch/updater.ts";
import { debianTrackerUpdater } from "./debian-tracker/updater.ts";
import { fedoraUpdater } from "./fedora-updateinfo/updater.ts";
import { nodejsUpdater } from "./nodejs/updater.ts";
import { nvdCpeUpdater } from "./nvd-cpe/updater.ts";
import {
  bitnamiUpdater,
  ghsaUpdater,
  govulndbUpdater,
  openeulerUpdater,
  pypaUpdater,
  rustsecUpdater,
} from "./osv/databases.ts";
import { osvUpdater } from "./osv/updater.ts";
import { azurelinuxUpdater, oracleUpdater, photonUpdater } from "./oval/vendors.ts";
import { photonCveUpdater } from "./photon-cve/updater.ts";
import { phpUpdater } from "./php/updater.ts";
import { redhatUpdater } from "./redhat-vex/updater.ts";
import { rubysecUpdater } from "./rubysec/updater.ts";
import { alpineSecdbUpdater, chainguardSecdbUpdater, wolfiSecdbUpdater } from "./secdb/updaters.ts";
import { suseUpdater } from "./suse-oval/updater.ts";
import { ubuntuUpdater } from "./ubuntu/updater.ts";
import { bottlerocketUpdater, rockyUpdater } from "./updateinfo/vendors.ts";

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
