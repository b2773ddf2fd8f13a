// A cluster of `nodes` nodes, of which three in five have GPUs, and workloads of ten pods each that
// make `pods` pods; a tenth as many more have to wait.

const kDepartments = ['language', 'vision', 'science', 'platform'];
const kTeams = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
const kGang = 10;

const node = (name, gpus) => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110"${gpus ? ', nvidia.com/gpu: "8"' : ''}}}
`;

const queue = (name, parent, gpus) => `apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: ${name}}
spec:
${parent ? `  parent: ${parent}\n` : ''}  guaranteed: {nvidia.com/gpu: "${gpus}"}
`;

const workload = (name, team, gpu, minutes) => `apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: ${team}}
spec:
  queueName: ${team}
  podSets:
  - name: worker
    count: ${kGang}
    template:
      metadata: {annotations: {fairlead.dev/run-duration: ${minutes}m}}
      spec:
        schedulerName: fairlead
        containers:
        - {name: main, resources: {requests: {cpu: "4", memory: 16Gi${gpu ? ', nvidia.com/gpu: "1"' : ''}}}}
`;

export function worldOf(nodes, pods) {
  const documents = [];
  const withGpus = Math.floor(nodes * 0.6);
  for (let i = 0; i < nodes; i++) {
    documents.push(i < withGpus ? node(`gpu-${i + 1}`, true) : node(`cpu-${i + 1 - withGpus}`, false));
  }
  const teams = [];
  const share = Math.floor((withGpus * 8) / (kDepartments.length * kTeams.length));
  for (const department of kDepartments) {
    documents.push(queue(department, '', share * kTeams.length));
    for (const team of kTeams) {
      documents.push(queue(`${department}-${team}`, department, share));
      teams.push(`${department}-${team}`);
    }
  }
  const gangs = Math.ceil((pods * 1.1) / kGang);
  for (let i = 0; i < gangs; i++) {
    // Some end every minute, so that every refresh has something new.
    documents.push(workload(`train-${i}`, teams[i % teams.length], i % 2 === 0, 30 + (i % 600)));
  }
  return documents.join('---\n');
}
