import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';

import './css/base.css';
import './css/shell.css';
import './css/parts.css';
import './css/pictures.css';
import './css/views.css';
import { App } from './app';
import { applyTheme } from './parts/theme';

applyTheme();
const root = document.getElementById('app');
if (root) render(<App />, root);
