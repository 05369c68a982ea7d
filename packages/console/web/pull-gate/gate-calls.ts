import {
  addOrganizationPullGateException,
  addOrganizationPullGateKey,
  addRepositoryPullGateException,
  addRepositoryPullGateKey,
  changeOrganizationPullGate,
  changeRepositoryPullGate,
  deleteOrganizationPullGate,
  deleteRepositoryPullGate,
  getManifestPullGate,
  getOrganizationPullGate,
  getRepositoryPullGate,
  previewRepositoryPullGate,
  removeOrganizationPullGateException,
  removeOrganizationPullGateKey,
  removeRepositoryPullGateException,
  removeRepositoryPullGateKey,
} from "../api/generated/secscan.ts";
import { either, type ResultOf } from "../api/operation.ts";
import type { RuleOwner } from "../shared/owner.ts";

/** A gate as the management API shows it. */
export type Gate = ResultOf<typeof getRepositoryPullGate>;

/** The rules of a gate: the findings for which it refuses images. */
export type GateRules = Gate["rules"];

/** The operations on an owner's gate, and their parameters. Each operation uses the parameter that its path contains. */
export function gateCalls({ kind, name }: RuleOwner) {
  const isOf = kind === "organization";
  return {
    get: either({ isFirst: isOf }, getOrganizationPullGate, getRepositoryPullGate),
    change: either({ isFirst: isOf }, changeOrganizationPullGate, changeRepositoryPullGate),
    remove: either({ isFirst: isOf }, deleteOrganizationPullGate, deleteRepositoryPullGate),
    addException: either({ isFirst: isOf }, addOrganizationPullGateException, addRepositoryPullGateException),
    removeException: either({ isFirst: isOf }, removeOrganizationPullGateException, removeRepositoryPullGateException),
    addKey: either({ isFirst: isOf }, addOrganizationPullGateKey, addRepositoryPullGateKey),
    removeKey: either({ isFirst: isOf }, removeOrganizationPullGateKey, removeRepositoryPullGateKey),
    params: { orgname: name, repository: name },
    affected: [getOrganizationPullGate, getRepositoryPullGate, previewRepositoryPullGate, getManifestPullGate],
  };
}
