import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { texts } from "../texts/texts.ts";
import { FindingTable } from "./finding-table.tsx";
import { type Finding, type Upgrade, upgradesOf } from "./findings.ts";

const words = texts.findings;

/** Findings by the upgrade that removes them. */
export function UpgradeList({ findings }: { readonly findings: readonly Finding[] }) {
  const shown = useShownRows(upgradesOf(findings));
  return (
    <>
      {shown.rows.map((upgrade) => (
        <UpgradePart key={`${upgrade.name} ${upgrade.version} ${upgrade.fixedIn}`} upgrade={upgrade} />
      ))}
      <MoreRows {...shown} />
    </>
  );
}

function UpgradePart({ upgrade: { name, version, fixedIn, findings } }: { readonly upgrade: Upgrade }) {
  const hasFix = fixedIn !== "";
  return (
    <details className="upgrade" open={hasFix && findings.length <= 20}>
      <summary>
        {hasFix ? words.upgrade({ name, from: version, to: fixedIn }) : words.noUpgrade(name, version)}{" "}
        <small>{hasFix ? words.removes(findings.length) : findings.length}</small>
      </summary>
      <FindingTable findings={findings} />
    </details>
  );
}
