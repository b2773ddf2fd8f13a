// What every view may need: the summary, which is always asked for, and the theme in force.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Summary } from '../api/types';

export interface Page {
  summary: Summary | null;
  theme: 'light' | 'dark';
}

export const PageContext = createContext<Page>({ summary: null, theme: 'light' });
export const usePage = () => useContext(PageContext);
