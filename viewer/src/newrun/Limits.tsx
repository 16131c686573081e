import type { Form } from "./form";
import { NumberField } from "./NumberField";

/** Budgets, how much goes on at once, the seed and the name. */
export function Limits({ form, usual, onChange }: { form: Form; usual: Record<string, unknown>; onChange: (changes: Partial<Form>) => void }) {
  const hint = (name: string, otherwise: string) => String(usual[name] ?? otherwise);
  return (
    <div class="filters">
      <NumberField
        label="Budget, US$"
        value={form.dollars}
        least={0}
        step="any"
        placeholder={hint("budget_usd", "no limit")}
        onChange={(dollars) => onChange({ dollars })}
      />
      <NumberField
        label="Budget, tokens"
        value={form.tokens}
        least={1}
        placeholder={hint("budget_tokens", "no limit")}
        onChange={(tokens) => onChange({ tokens })}
      />
      <NumberField
        label="Matches at once"
        value={form.concurrency}
        least={1}
        placeholder={hint("concurrency", "32")}
        onChange={(concurrency) => onChange({ concurrency })}
      />
      <div class="field">
        <label for="seed">Seed</label>
        <input id="seed" value={form.seed} placeholder={hint("seed", "0")} onChange={(event) => onChange({ seed: event.currentTarget.value })} />
      </div>
      <div class="field">
        <label for="run-name">Name</label>
        <input
          id="run-name"
          value={form.name}
          placeholder={hint("name", "run")}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}
