import { useTheme } from "./theme";
import type { Theme } from "./theme";

const LABELS: Readonly<Record<Theme, string>> = { dark: "Dark", light: "Light", contrast: "High contrast" };

export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <label className="theme-switch">
      <span className="hidden">Theme</span>
      <select className="control" value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {Object.entries(LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
