import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { QuotaEditor } from "./quota-editor.tsx";

/** The quota of the namespace that is chosen in a list; nothing if none is. */
export function ChosenQuota({ namespace }: { readonly namespace: string }) {
  if (namespace === "") return undefined;
  return (
    <Section title={texts.quotas.quotaOf(namespace)}>
      <QuotaEditor key={namespace} namespace={namespace} />
    </Section>
  );
}
