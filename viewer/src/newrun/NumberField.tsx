import { useId } from "preact/hooks";

interface Props {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
  least?: number;
  most?: number;
  step?: string;
  placeholder?: string;
}

/** A number that may be left empty. */
export function NumberField({ label, value, onChange, least, most, step = "1", placeholder }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={least}
        max={most}
        step={step}
        value={value ?? ""}
        placeholder={placeholder}
        onChange={(event) => {
          const text = event.currentTarget.value;
          onChange(text === "" || !Number.isFinite(Number(text)) ? null : Number(text));
        }}
      />
    </div>
  );
}
