// A `fairlead up` of one's own, and its REST API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const kStartMs = 60_000;

// `arguments_`: of `fairlead up`, beside the port; null: they say where it listens. Ends with `stop()`.
export async function startServer(arguments_, port = 0) {
  const child = spawn(
    process.env.FAIRLEAD,
    ['up', ...(port === null ? [] : ['--port', String(port)]), '--data-dir', 'none', ...arguments_],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('fairlead up says no address')), kStartMs);
    child.once('exit', (code) => reject(new Error(`fairlead up ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /https?:\/\/[0-9.]+:\d+/.exec(line);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0]);
    });
  });
  return {
    url,
    port: Number(new URL(url).port),
    get: async (path) => {
      const response = await fetch(url + path);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    submit: async (text) => {
      const response = await fetch(`${url}/api/v1/objects`, { method: 'POST', body: text });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
