import { Value } from "typebox/value";
import { IndexReportSchema } from "./contract-schemas.ts";
import {
  contractType,
  refusal,
  type StrictAnswer,
  type StrictOperation,
  type StrictRequest,
  type StrictService,
  startStrictService,
} from "./strict-service.ts";

/** An advisory of a matcher of the contract, which applies to every version of a package. */
export interface ContractAdvisory {
  readonly name: string;
  readonly packageName: string;
  readonly distribution: { readonly did: string; readonly version: string };
}

/** A matcher that keeps the contract to the letter and has nothing more. */
export interface ContractMatcher extends StrictService {
  /** Adds an advisory with an update operation of its own. */
  publish(advisory: ContractAdvisory): void;
}

const updater = "contract";
const refOf = (operation: number) => `00000000-0000-4000-8000-${String(operation).padStart(12, "0")}`;

/**
 * Starts a matcher without advisories. Its reports have only the required members, and a difference has its lists in another order than ours.
 * @param indexerUrl the indexer whose reports it matches
 */
export async function startContractMatcher(indexerUrl: string): Promise<ContractMatcher> {
  const advisories: ContractAdvisory[] = [];
  const operationOf = (index: number) => ({
    ...{ ref: refOf(index + 1), updater, fingerprint: String(index) },
    ...{ date: new Date(Date.UTC(2026, 0, index + 1)).toISOString(), kind: "vulnerability" },
  });
  const service = await startStrictService([
    {
      ...{ method: "GET", path: "/matcher/api/v1/vulnerability_report/*", response: "vulnerability_report" },
      answer: ({ last }) => reportOf(indexerUrl, last, advisories),
    },
    {
      ...{ method: "GET", path: "/matcher/api/v1/internal/update_operation", response: "update_operations" },
      query: ["kind?", "latest?"],
      answer: () => ({
        status: 200,
        body: { [updater]: advisories.map((_, index) => operationOf(index)).toReversed() },
      }),
    },
    updateDiff(advisories, operationOf),
  ]);
  return { ...service, publish: (advisory) => void advisories.push(advisory) };
}

type OperationOf = (index: number) => object;

function updateDiff(advisories: readonly ContractAdvisory[], operationOf: OperationOf): StrictOperation {
  const placeOf = (ref: string | null) => advisories.findIndex((_, index) => refOf(index + 1) === ref);
  return {
    ...{ method: "GET", path: "/matcher/api/v1/internal/update_diff", response: "update_diff" },
    query: ["prev", "cur?"],
    answer: ({ query }: StrictRequest) => {
      const prev = placeOf(query.get("prev"));
      const cur = query.has("cur") ? placeOf(query.get("cur")) : advisories.length - 1;
      if (prev < 0 || cur < 0) return refusal(400, "no such update operation");
      const added = advisories.slice(prev + 1, cur + 1).map((each) => vulnerabilityOf(each, each.name));
      return { status: 200, body: { removed: [], added, cur: operationOf(cur) } };
    },
  };
}

interface FoundPackage {
  readonly name: string;
  readonly source?: { readonly name: string };
}

interface IndexReport {
  readonly packages?: Readonly<Record<string, FoundPackage>>;
  readonly distributions?: object;
  readonly environments?: object;
}

async function reportOf(
  indexerUrl: string,
  digest: string,
  advisories: readonly ContractAdvisory[],
): Promise<StrictAnswer> {
  const accept = contractType("index_report");
  const response = await fetch(`${indexerUrl}/indexer/api/v1/index_report/${digest}`, { headers: { accept } });
  if (response.status === 404) return refusal(404, "it is not indexed");
  const report = (await response.json()) as IndexReport;
  const [error] = Value.Errors(IndexReportSchema, report);
  if (error !== undefined) return refusal(500, `the index report: ${error.instancePath} ${error.message}`);
  const { packages = {}, distributions = {}, environments = {} } = report;
  const found = advisories.map((advisory) => vulnerabilityOf(advisory, advisory.name));
  const affects =
    ({ name, source }: FoundPackage) =>
    (advisory: (typeof found)[number]) =>
      [name, source?.name].includes(advisory.package.name);
  const body = {
    ...{ manifest_hash: digest, packages, distributions, environments },
    vulnerabilities: Object.fromEntries(found.map((each) => [each.id, each])),
    package_vulnerabilities: Object.fromEntries(
      Object.entries(packages).map(([id, each]) => [id, found.filter(affects(each)).map((one) => one.id)]),
    ),
  };
  return { status: 201, body };
}

function vulnerabilityOf({ name, packageName, distribution }: ContractAdvisory, id: string) {
  const about = { package: { name: packageName, version: "" }, distribution: { id: "", ...distribution } };
  return { id, name, normalized_severity: "High", ...about };
}
