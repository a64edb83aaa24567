/** The appearance of the page on this device. */

import { Panel } from "../parts";
import { THEMES, useTheme } from "../shell/theme";
import type { Theme } from "../shell/theme";

const ABOUT: Readonly<Record<Theme, readonly [string, string]>> = {
  dark: ["Dark", "for a dim room"],
  light: ["Light", "for a bright room or a projector"],
  contrast: ["High contrast", "maximum contrast and thicker lines"],
};

export function LooksPanel() {
  const [theme, setTheme] = useTheme();
  return (
    <Panel name="looks" title="Appearance" note="Stored only in this browser.">
      <fieldset className="settings-themes">
        <legend>Theme</legend>
        {THEMES.map((each) => (
          <label key={each} className="check">
            <input type="radio" name="theme" value={each} checked={theme === each} onChange={() => setTheme(each)} />
            <span>
              {ABOUT[each][0]} <span className="muted">({ABOUT[each][1]})</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Panel>
  );
}
