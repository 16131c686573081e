import { type ComponentType, h } from "preact";
import { useMemo } from "preact/hooks";

/** A component that is drawn again only when one of its properties is another one: a wall has many boards. */
export function memo<P extends object>(component: ComponentType<P>): ComponentType<P> {
  return function Memoized(props: P) {
    return useMemo(() => h(component, props), Object.values(props));
  };
}
