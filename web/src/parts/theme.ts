// Light, dark, or as the system has it.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'auto' | 'light' | 'dark';

const kKey = 'fairlead.theme';
const kOrder: Theme[] = ['auto', 'light', 'dark'];

function stored(): Theme {
  try {
    const value = localStorage.getItem(kKey) as Theme | null;
    return value && kOrder.includes(value) ? value : 'auto';
  } catch {
    return 'auto'; // storage is not allowed
  }
}

export function applyTheme(theme: Theme = stored()) {
  document.documentElement.dataset.theme = theme;
}

// The setting, the one in force (which pictures are drawn by), and a switch to the next.
export function useTheme() {
  const [setting, setSetting] = useState<Theme>(stored);
  const [systemDark, setSystemDark] = useState(false);
  useEffect(() => {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const onChange = () => setSystemDark(query.matches);
    onChange();
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  const next = () => {
    const theme = kOrder[(kOrder.indexOf(setting) + 1) % kOrder.length] ?? 'auto';
    try {
      localStorage.setItem(kKey, theme);
    } catch {
      // Not kept; it holds until the page is left.
    }
    applyTheme(theme);
    setSetting(theme);
  };
  const inForce = setting === 'auto' ? (systemDark ? 'dark' : 'light') : setting;
  return { setting, inForce, next };
}
