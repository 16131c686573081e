// Something that is there but not in the way. What is inside is made only once it was opened.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface Props {
  readonly summary: ComponentChildren;
  readonly open?: boolean;
  readonly children: () => ComponentChildren;
}

export function Folded({ summary, open = false, children }: Props) {
  const [opened, setOpened] = useState(open);
  return (
    <details class="folded" open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {opened && <div class="folded-inside">{children()}</div>}
    </details>
  );
}
