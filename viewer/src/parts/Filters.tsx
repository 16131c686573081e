// The row of fields above a table; on a phone it is folded away, and its title tells how many are in use.
import type { ComponentChildren } from "preact";
import { useNarrow } from "./useNarrow";

interface Props {
  readonly title: string;
  readonly active: number;
  readonly children: ComponentChildren;
}

export function Filters({ title, active, children }: Props) {
  const row = <div class="filters">{children}</div>;
  if (!useNarrow()) return row;
  return (
    <details class="filters-folded">
      <summary>
        {title}
        {active > 0 && <span class="chip num">{active}</span>}
      </summary>
      {row}
    </details>
  );
}
