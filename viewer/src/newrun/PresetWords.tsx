import type { PresetOption } from "../api/types";
import { Folded } from "../parts/Folded";
import { PlainText, TextBlock } from "../parts/TextBlock";

/** What a preset plays, the keys that its models need, and its file. */
export function PresetWords({ preset }: { preset: PresetOption }) {
  const keys = Object.entries(preset.keys);
  return (
    <>
      <p>
        <PlainText text={preset.description} limit={500} />
      </p>
      {keys.length ? (
        <ul class="preset-keys" aria-label="Keys that its models need">
          {keys.map(([name, set]) => (
            <li key={name}>
              <code>{name}</code> {set ? <span class="muted">is set</span> : <strong>is not set</strong>}
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No key is needed.</p>
      )}
      <Folded summary="The preset as it comes, with its comments">
        {() => <TextBlock text={preset.toml} label="The preset's file" class="toml" limit={20_000} />}
      </Folded>
    </>
  );
}
