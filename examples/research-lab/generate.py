#!/usr/bin/env python3
"""Writes the repetitive files of this example: nodes, training, sweeps, notebooks, batch.

    python3 examples/research-lab/generate.py

Deterministic: the same script writes the same files. They are committed, so nobody needs Python to
run the example. queues.yaml, people.yaml, services.yaml and stuck.yaml are written by hand.
"""
import pathlib
import random

HERE = pathlib.Path(__file__).parent
RANDOM = random.Random(20260302)

H100 = "NVIDIA-H100-80GB-HBM3"
A100 = "NVIDIA-A100-SXM4-80GB"
A10 = "NVIDIA-A10"
T4 = "Tesla-T4"

# model: stem, how many, instance type, CPUs, memory in GiB, GPUs
NODES = [
    (H100, "h100", 4, "gpu-h100-8x", 190, 2000, 8),
    (A100, "a100", 6, "gpu-a100-8x", 126, 1000, 8),
    (A10, "a10", 6, "gpu-a10-4x", 62, 480, 4),
    (T4, "t4", 4, "gpu-t4-2x", 30, 120, 2),
    (None, "mem", 4, "mem-3t", 94, 3000, 0),
    (None, "cpu", 16, "cpu-64", 62, 248, 0),
]

OWNERS = {
    "vision": ["ines", "tomasz", "yuki"],
    "robotics": ["farid", "greta"],
    "mapping": ["lucia", "sven"],
    "pretraining": ["amara", "jonas", "wei"],
    "speech": ["noor", "pavel"],
    "assistants": ["ruth", "diego"],
    "genomics": ["hana", "oskar"],
    "climate": ["maren", "ade"],
    "chemistry": ["bruno", "leila"],
}


def pick(items):
    return items[int(RANDOM.random() * len(items))]


def between(low, high):
    """A whole number of `low` to `high`, both included."""
    return low + int(RANDOM.random() * (high - low + 1))


def duration(minutes):
    hours, rest = divmod(minutes, 60)
    return (f"{hours}h" if hours else "") + (f"{rest}m" if rest or not hours else "")


def clock(minutes):
    """Minutes after six as the time of day, for comments."""
    return f"{(6 + minutes // 60) % 24:02}:{minutes % 60:02}"


def working_hours(first, peak, last):
    """Minutes after six, most often around `peak`; hours of the day."""
    return round((RANDOM.triangular(first, last, peak) - 6) * 12) * 5


# ---- nodes ------------------------------------------------------------------------------------


def node(model, stem, number, kind, cpus, memory, gpus):
    name = f"{stem}-{number}"
    zone = "harbor-a" if number % 2 else "harbor-b"
    created = "2025-09-15T08:00:00Z"
    notes, taints, labels = [], [], []
    if gpus:
        taints.append("{key: nvidia.com/gpu, value: present, effect: NoSchedule}")
        labels.append(f"    nvidia.com/gpu.product: {model}")
    if stem == "a10" and number >= 5:
        notes.append("# Bought by the robotics team: only pods that tolerate the pool's taint come here.")
        taints.append("{key: lab.example/pool, value: robotics, effect: NoSchedule}")
        labels.append("    lab.example/pool: robotics")
    if stem == "mem":
        taints.append("{key: lab.example/pool, value: big-memory, effect: NoSchedule}")
        labels.append("    lab.example/pool: big-memory")
    if name == "cpu-15":
        notes.append("# Joined this morning at six: the newest time in these files, so the day starts there.")
        created = "2026-03-02T06:00:00Z"
    if name == "cpu-16":
        notes.append("# Cordoned: its fan is being replaced. Only the log agent still comes here.")
    text = "---\n" + "".join(note + "\n" for note in notes)
    text += "apiVersion: v1\nkind: Node\nmetadata:\n"
    text += f"  name: {name}\n  creationTimestamp: \"{created}\"\n  labels:\n"
    text += f"    kubernetes.io/hostname: {name}\n"
    text += f"    node.kubernetes.io/instance-type: {kind}\n"
    text += f"    topology.kubernetes.io/zone: {zone}\n"
    text += "".join(label + "\n" for label in labels)
    if name == "cpu-16":
        text += "spec: {unschedulable: true}\n"
    elif taints:
        text += "spec:\n  taints:\n" + "".join(f"  - {taint}\n" for taint in taints)
    devices = f', nvidia.com/gpu: "{gpus}"' if gpus else ""
    text += f'status:\n  allocatable: {{cpu: "{cpus}", memory: {memory}Gi, pods: "110"{devices}}}\n'
    return text


def nodes():
    text = "# 40 nodes, 112 GPUs. Every GPU node is tainted, so that plain CPU work stays off it.\n"
    for model, stem, many, kind, cpus, memory, gpus in NODES:
        for number in range(1, many + 1):
            text += node(model, stem, number, kind, cpus, memory, gpus)
    return text


# ---- pods and what holds them -----------------------------------------------------------------


def pod_spec(indent, image, request, model=None, pool=None, priority=None):
    pad = " " * indent
    text = f"{pad}schedulerName: fairlead\n"
    if priority:
        text += f"{pad}priorityClassName: {priority}\n"
    selector, tolerations = [], []
    if model:
        selector.append(f"nvidia.com/gpu.product: {model}")
    if model or "gpu" in request:
        tolerations.append("{key: nvidia.com/gpu, operator: Exists}")
    if pool:
        selector.append(f"lab.example/pool: {pool}")
        tolerations.append(f"{{key: lab.example/pool, value: {pool}}}")
    if selector:
        text += f"{pad}nodeSelector: {{{', '.join(selector)}}}\n"
    if tolerations:
        text += f"{pad}tolerations: [{', '.join(tolerations)}]\n"
    text += f"{pad}containers:\n"
    text += f"{pad}- {{name: main, image: \"{image}\", resources: {{requests: {{{request}}}}}}}\n"
    return text


def gpus(cpu, memory, count):
    return f'cpu: "{cpu}", memory: {memory}Gi, nvidia.com/gpu: "{count}"'


def cpus(cpu, memory):
    return f'cpu: "{cpu}", memory: {memory}Gi'


def head(api, kind, name, team, owner, at, gang=False):
    text = f"---  # {clock(at)}\napiVersion: {api}\nkind: {kind}\nmetadata:\n  name: {name}\n"
    text += f"  namespace: {team}\n  labels: {{owner: {owner}}}\n"
    extra = ', fairlead.dev/gang: "true"' if gang else ""
    return text + f"  annotations: {{fairlead.dev/arrives-at: {duration(at)}{extra}}}\n"


class PodSet:
    def __init__(self, name, count, minutes, request, minimum=None, **where):
        self.name, self.count, self.minutes, self.request = name, count, minutes, request
        self.minimum, self.where = minimum, where


def workload(name, team, at, sets, image, priority=None, elastic=False, owner=None):
    text = head("fairlead.dev/v1alpha1", "Workload", name, team, owner or pick(OWNERS[team]), at)
    text += f"spec:\n  queueName: {team}\n"
    if priority:
        text += f"  priorityClassName: {priority}\n"
    if elastic:
        text += "  resize: Anytime\n"
    text += "  podSets:\n"
    for pods in sets:
        text += f"  - name: {pods.name}\n    count: {pods.count}\n"
        if pods.minimum:
            text += f"    minCount: {pods.minimum}\n"
        text += "    template:\n"
        text += f"      metadata: {{annotations: {{fairlead.dev/run-duration: {duration(pods.minutes)}}}}}\n"
        text += "      spec:\n" + pod_spec(8, image, pods.request, **pods.where)
    return text


def job(name, team, at, parallelism, completions, minutes, request, image, gang=False, **where):
    text = head("batch/v1", "Job", name, team, pick(OWNERS[team]), at, gang)
    text += f"spec:\n  parallelism: {parallelism}\n  completions: {completions}\n  template:\n"
    text += f"    metadata: {{annotations: {{fairlead.dev/run-duration: {duration(minutes)}}}}}\n"
    return text + "    spec:\n" + pod_spec(6, image, request, **where)


def pod(name, team, owner, at, minutes, request, image, **where):
    text = head("v1", "Pod", name, team, owner, at)
    text = text.replace("annotations: {", f"annotations: {{fairlead.dev/run-duration: {duration(minutes)}, ")
    return text + "spec:\n" + pod_spec(2, image, request, **where)


# ---- the day ----------------------------------------------------------------------------------


def training():
    """(time, document) of every gang that is all or nothing."""
    work = []

    def add(name, team, at, *sets, **more):
        work.append((at, workload(name, team, at, sets, "train:2026.3", **more)))

    # Whole H100 nodes. From 11:30 on there are four nodes' worth of wishes for two free ones.
    for name, at, pods, minutes, priority in [
        ("heron-base", 30, 2, 330, None),
        ("heron-long", 195, 2, 300, None),
        ("petrel-base", 330, 3, 270, "deadline"),
        ("petrel-chat", 480, 2, 240, None),
        ("heron-final", 780, 4, 360, "deadline"),
        ("tern-probe", 840, 1, 120, None),
    ]:
        add(name, "pretraining", at, PodSet("worker", pods, minutes, gpus(150, 1500, 8), model=H100),
            priority=priority)
    for i, bird in enumerate(["detr", "flow", "depth", "sam", "track", "ocr", "pose", "nerf", "clip"]):
        at = working_hours(7, 10.5, 17)
        add(f"{bird}-finetune", "vision", at,
            PodSet("worker", pick([2, 2, 3]), between(24, 44) * 5, gpus(24, 200, 4), model=A100),
            priority="deadline" if i == 4 else None)
    for task in ["grasp", "stack", "drawer", "walk", "balance", "handover", "pour", "sort"]:
        at = working_hours(6.5, 11, 18)
        add(f"{task}-policy", "robotics", at,
            PodSet("learner", 1, between(18, 36) * 5, gpus(8, 60, 1), pool="robotics", model=A10),
            PodSet("simulator", pick([3, 4, 5]), between(18, 30) * 5, gpus(8, 60, 1), pool="robotics", model=A10))
    for place in ["delta", "fjord", "canyon", "ridge", "lagoon", "moor"]:
        at = working_hours(7, 12, 17)
        add(f"{place}-tiles", "mapping", at, PodSet("worker", 4, between(14, 26) * 5, gpus(8, 60, 1), model=A10))
    for language in ["faroese", "welsh", "amharic", "quechua", "sami", "tamil"]:
        at = working_hours(7, 11, 16)
        add(f"{language}-asr", "speech", at,
            PodSet("worker", pick([2, 3, 4]), between(20, 48) * 5, gpus(16, 120, 2), model=A100))
    for suite in ["helpful", "honest", "maths", "code", "recall", "refusal", "tables"]:
        at = working_hours(8, 11.5, 19)
        add(f"{suite}-eval", "assistants", at,
            PodSet("driver", 1, between(10, 16) * 5, cpus(4, 16)),
            PodSet("judge", 4, between(8, 14) * 5, gpus(12, 100, 2), model=A100))
    for molecule in ["ferritin", "opsin", "tubulin", "keratin", "insulin", "myosin"]:
        at = working_hours(7, 10, 18)
        add(f"{molecule}-md", "chemistry", at,
            PodSet("replica", pick([4, 6, 8]), between(24, 60) * 5, gpus(8, 60, 1), model=A100))
    # MPI: ranks that must all run at once.
    for i in range(5):
        at = working_hours(6.5, 10, 20)
        add(f"reanalysis-{1980 + 10 * i}s", "climate", at,
            PodSet("launcher", 1, 95, cpus(2, 8)), PodSet("rank", between(8, 14), 90, cpus(30, 100)))
    return work


def sweeps():
    """Elastic: each starts with its minimum and grows into whatever is free."""
    work = []

    def add(name, team, at, count, minimum, minutes, request, **where):
        sets = [PodSet("worker", count, minutes, request, minimum=minimum, **where)]
        work.append((at, workload(name, team, at, sets, "sweep:2026.3", elastic=True, priority="whenever")))

    for team, stems, model, cpu, memory in [
        ("vision", ["augment", "anchor", "loss", "backbone"], A10, 8, 60),
        ("mapping", ["contour", "stitch"], A10, 8, 60),
        ("speech", ["vocoder", "beam", "dropout"], A100, 12, 100),
        ("chemistry", ["docking", "forcefield", "solvent"], A100, 8, 60),
        ("assistants", ["prompt", "temperature"], A100, 12, 100),
    ]:
        for stem in stems:
            add(f"{stem}-sweep", team, working_hours(7, 12, 18), pick([8, 12, 16]), pick([2, 3, 4]),
                between(9, 18) * 5, gpus(cpu, memory, 1), model=model)
    for stem in ["aerosol", "albedo", "convection", "seaice"]:
        add(f"{stem}-sweep", "climate", working_hours(7, 11, 19), pick([16, 24]), 4, between(5, 9) * 5,
            cpus(15, 40))
    # Started before going home, for whoever is awake: they soak up the evening.
    for stem, team, at in [("evening-lr", "vision", 870), ("evening-seeds", "speech", 885)]:
        add(f"{stem}-sweep", team, at, 24, 4, 150, gpus(12, 100, 1), model=A100)
    return work


def notebooks():
    """Single pods: a quarter or half of a T4 each, and a few debug sessions on a whole GPU."""
    work = []
    for team, owners in OWNERS.items():
        for owner in owners:
            for session in range(between(2, 3)):
                at = working_hours(7, 10 + 2 * session, 19)
                milli = pick([250, 250, 500])
                work.append((at, pod(
                    f"notebook-{owner}-{session + 1}", team, owner, at, between(24, 60) * 5,
                    f'cpu: "1", memory: 6Gi, fairlead.dev/gpu-milli: "{milli}"', "notebook:2026.3", model=T4)))
    for i in range(24):
        team = pick(["vision", "speech", "assistants", "chemistry", "mapping"])
        owner = pick(OWNERS[team])
        at = working_hours(8, 12, 20)
        where = {"model": pick([A10, A10, A100])}
        work.append((at, pod(f"debug-{owner}-{i + 1}", team, owner, at, between(3, 12) * 5,
                             gpus(8, 60, 1), "shell:2026.3", **where)))
    return work


def batch():
    """Jobs: their pods are placed one by one, except where the Job asks to be a gang."""
    work = []

    def add(name, team, at, *facts, **more):
        work.append((at, job(name, team, at, *facts, **more)))

    for i in range(16):
        add(f"align-batch-{i + 1:02}", "genomics", working_hours(6.5, 11, 20), pick([6, 8, 10]),
            pick([12, 16, 20]), between(5, 9) * 5, cpus(8, 28), "align:5.1")
    for species in ["spruce", "oyster", "barley", "newt", "lichen", "heath"]:
        add(f"assemble-{species}", "genomics", working_hours(7, 11, 18), 2, 2, between(30, 54) * 5,
            cpus(40, 1300), "assemble:3.0", pool="big-memory")
    for i in range(10):
        add(f"regrid-{i + 1:02}", "climate", working_hours(6.5, 12, 19), 8, 8, between(6, 14) * 5,
            cpus(12, 24), "regrid:1.9")
    for i in range(6):
        add(f"couple-{i + 1}", "climate", working_hours(7, 10, 17), 6, 6, between(10, 20) * 5,
            cpus(20, 60), "couple:0.7", gang=True)
    for i in range(8):
        add(f"label-import-{i + 1}", "vision", working_hours(6.5, 11, 19), 4, 8, between(4, 8) * 5,
            cpus(4, 12), "import:2.2")
    for i in range(8):
        add(f"screen-{i + 1}", "chemistry", working_hours(7, 12, 18), 10, 20, between(4, 8) * 5,
            cpus(6, 10), "screen:4.4")
    # The night shift.
    for hour in range(20, 24):
        for team in ["mapping", "speech", "genomics"]:
            add(f"nightly-{team}-{hour}", team, (hour - 6) * 60 + 5, 4, 8, 20, cpus(4, 16), "prepare:1.0")
    return work


HEADERS = {
    "training": """\
# Gangs: every pod of one starts at the same moment, or none does. In the morning they start at once;
# from eleven on the A100s are full and they wait, while smaller work behind them passes.
# Watch: fairlead explain pretraining/petrel-base   (at 11:30 it preempts heron-base and heron-long)
#        fairlead explain pretraining/heron-final   (at 19:00: it needs all four nodes, and has the priority)
""",
    "sweeps": """\
# Elastic gangs: the workers of a sweep draw their trials from one list. `minCount` of them start
# together, more join one by one as room comes free, up to `count`. One that ended well is not
# replaced; the sweep is finished when all workers that it got have ended.
# Watch: fairlead get workloads -n vision
""",
    "notebooks": """\
# Single pods. A notebook takes a quarter or half of a T4 (fairlead.dev/gpu-milli); several share one
# device, and none of them straddles two. Debug sessions take a whole GPU for a short while.
# Watch: fairlead get pods -A | grep notebook   (from one to five the T4s are full)
""",
    "batch": """\
# Jobs. Their pods are placed one by one, first come first served; `fairlead.dev/gang: "true"` makes a
# Job all or nothing. Watch the big-memory nodes: two pods of an assembly fill one.
""",
}


def main():
    (HERE / "nodes.yaml").write_text(nodes())
    for name, make in [("training", training), ("sweeps", sweeps), ("notebooks", notebooks), ("batch", batch)]:
        work = sorted(make())
        note = f"# Written by generate.py: {len(work)} objects, in the order in which they arrive.\n"
        (HERE / f"{name}.yaml").write_text(HEADERS[name] + note + "".join(text for _, text in work))
        print(f"{name}.yaml: {len(work)}")


if __name__ == "__main__":
    main()
