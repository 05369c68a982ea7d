import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { countSeverities, type Finding } from "./findings.ts";
import { type Upgrade, upgradesOf } from "./upgrades.ts";

const words = texts.findings;

/** Findings grouped by the upgrade that removes them. */
export function UpgradeList({ findings }: { readonly findings: readonly Finding[] }) {
  const shown = useShownRows(upgradesOf(findings));
  return (
    <>
      {shown.rows.map((upgrade) => (
        <UpgradePart key={`${upgrade.name} ${upgrade.version} ${upgrade.to}`} upgrade={upgrade} />
      ))}
      <MoreRows {...shown} />
    </>
  );
}

function UpgradePart({ upgrade: { name, version, to, findings } }: { readonly upgrade: Upgrade }) {
  const hasFix = to !== "";
  return (
    <details className="upgrade" open={hasFix && findings.length <= 20}>
      <summary>
        {hasFix ? words.upgrade({ name, from: version, to }) : words.noUpgrade(name, version)}{" "}
        <small>
          {hasFix ? words.removes(findings.length) : findings.length}
          {": "}
          {words.severities(countSeverities(findings))}
        </small>
      </summary>
      <FindingTable findings={findings} />
    </details>
  );
}
