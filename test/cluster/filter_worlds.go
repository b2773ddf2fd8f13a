package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	v1 "k8s.io/api/core/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// A small cluster and a pod that waits, of all that a pod may demand of its node: labels, fields,
// taints, room, ports, other pods, even spread, volumes.
type world struct {
	namespaces []*v1.Namespace
	nodes      []*v1.Node
	running    []*v1.Pod
	volumes    []runtime.Object // and what is said of them, of names that no other world has
	pod        *v1.Pod
}

type maker struct {
	*rand.Rand
	seed  uint64
	world world
	// Names of claims that several of its pods may name, all bound; by namespace.
	shared map[string]bool
	// Names of claims that a volume is kept for.
	kept map[string]bool
}

const noProvisioner = "kubernetes.io/no-provisioner"

func makeWorld(seed uint64) *world {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), seed: seed, kept: map[string]bool{}}
	for _, name := range []string{"a", "b"} {
		m.world.namespaces = append(m.world.namespaces, &v1.Namespace{
			TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: meta.ObjectMeta{Name: name, Labels: m.some(map[string]string{
				"kubernetes.io/metadata.name": name, "tier": m.one("gold", "tin")})}})
	}
	limited := m.chance(3)
	prefix := ""
	if limited { // a CSINode has its node's name
		prefix = fmt.Sprintf("w%d-", seed)
	}
	for i := range 1 + m.IntN(5) {
		m.world.nodes = append(m.world.nodes, m.node(fmt.Sprintf("%sn%d", prefix, i)))
	}
	if limited {
		m.limits()
	}
	for i := range m.IntN(8) {
		pod := m.podNamed(fmt.Sprintf("r%d", i))
		m.others(pod, 4)
		pod.Spec.NodeName = m.world.nodes[m.IntN(len(m.world.nodes))].Name
		pod.Status.Phase = v1.PodRunning
		if m.chance(6) {
			pod.Spec.SchedulerName = "other"
		}
		if m.chance(8) {
			pod.DeletionTimestamp = &meta.Time{Time: pod.CreationTimestamp.Time}
		}
		for limited && m.chance(2) {
			m.share(pod)
		}
		m.world.running = append(m.world.running, pod)
	}
	m.raiseLimits()
	pod := m.podNamed("p")
	m.labels(pod)
	m.tolerations(pod)
	m.others(pod, 2)
	m.spread(pod)
	m.claims(pod)
	for limited && m.chance(2) {
		m.share(pod)
	}
	m.takes(pod)
	m.loseNodes(pod)
	m.world.pod = pod
	return &m.world
}

func (m *maker) chance(of int) bool      { return m.IntN(of) == 0 }
func (m *maker) one(of ...string) string { return of[m.IntN(len(of))] }
func (m *maker) some(of map[string]string) map[string]string {
	for _, key := range []string{"app", "v", "zone", "rack", "disk", "size", "tier", "kubernetes.io/hostname",
		"topology.kubernetes.io/zone", "kubernetes.io/metadata.name"} {
		if m.chance(5) {
			delete(of, key)
		}
	}
	return of
}

func quantities(cpuMilli, pods int64) v1.ResourceList {
	list := v1.ResourceList{v1.ResourceCPU: *resource.NewMilliQuantity(cpuMilli, resource.DecimalSI)}
	if pods > 0 {
		list[v1.ResourcePods] = *resource.NewQuantity(pods, resource.DecimalSI)
	}
	return list
}

func (m *maker) node(name string) *v1.Node {
	node := &v1.Node{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Node"}}
	node.Name = name
	zone := m.one("z1", "z2", "z3")
	node.Labels = m.some(map[string]string{"kubernetes.io/hostname": name, "zone": zone,
		"topology.kubernetes.io/zone": zone, "rack": m.one("r1", "r2"), "disk": m.one("ssd", "hdd"),
		"size": m.one("1", "5", "x")})
	node.Spec.Unschedulable = m.chance(10)
	if node.Spec.Unschedulable && m.chance(2) { // its controller does so, a moment later
		node.Spec.Taints = append(node.Spec.Taints,
			v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule})
	}
	for m.chance(7) {
		node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: m.one("k", "l"), Value: m.one("", "x", "y"),
			Effect: m.effect()})
	}
	node.Status.Allocatable = quantities(1000*int64(1+m.IntN(6)), int64(3+m.IntN(8)))
	node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}
	return node
}

// loseNodes has some nodes not be ready, as Kubernetes' controller of nodes shows them: with taints.
// (Fairlead has nobody on such a node, not even who tolerates them.)
func (m *maker) loseNodes(pod *v1.Pod) {
	for _, node := range m.world.nodes {
		if !m.chance(8) {
			continue
		}
		key, status := v1.TaintNodeNotReady, v1.ConditionFalse
		if m.chance(3) {
			key, status = v1.TaintNodeUnreachable, v1.ConditionUnknown
		}
		taints := []v1.Taint{{Key: key, Effect: v1.TaintEffectNoSchedule}, {Key: key, Effect: v1.TaintEffectNoExecute}}
		tolerated := func(taint v1.Taint) bool {
			return slices.ContainsFunc(pod.Spec.Tolerations, func(toleration v1.Toleration) bool {
				return toleration.ToleratesTaint(&taint)
			})
		}
		if tolerated(taints[0]) && tolerated(taints[1]) {
			continue
		}
		node.Spec.Taints = append(node.Spec.Taints, taints...)
		node.Status.Conditions[0].Status = status
	}
}

func (m *maker) effect() v1.TaintEffect {
	return v1.TaintEffect(m.one("NoSchedule", "NoExecute", "PreferNoSchedule"))
}

func (m *maker) podNamed(name string) *v1.Pod {
	pod := &v1.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
	pod.Name, pod.Namespace, pod.UID = name, m.one("a", "a", "b"), types.UID(name)
	pod.Labels = m.some(map[string]string{"app": m.one("x", "y"), "v": m.one("1", "2")})
	pod.CreationTimestamp = meta.Unix(1767225600, 0)
	pod.Spec.SchedulerName = "fairlead"
	pod.Spec.Containers = []v1.Container{{Name: "c",
		Resources: v1.ResourceRequirements{Requests: quantities(500*int64(m.IntN(5)), 0)}}}
	if m.chance(5) {
		pod.Spec.InitContainers = []v1.Container{{Name: "i",
			Resources: v1.ResourceRequirements{Requests: quantities(1000*int64(m.IntN(4)), 0)}}}
		if m.chance(2) {
			always := v1.ContainerRestartPolicyAlways
			pod.Spec.InitContainers[0].RestartPolicy = &always
		}
	}
	for m.chance(5) {
		pod.Spec.Containers[0].Ports = append(pod.Spec.Containers[0].Ports, v1.ContainerPort{ContainerPort: 80,
			HostPort: int32(m.IntN(3)) + 7000, Protocol: v1.Protocol(m.one("TCP", "TCP", "UDP")),
			HostIP: m.one("", "", "127.0.0.1", "0.0.0.0")})
	}
	return pod
}

func (m *maker) nodeRequirement() v1.NodeSelectorRequirement {
	requirement := v1.NodeSelectorRequirement{Key: m.one("zone", "rack", "disk", "size", "nowhere"),
		Operator: v1.NodeSelectorOperator(m.one("In", "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))}
	switch requirement.Operator {
	case v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn:
		requirement.Values = []string{m.one("z1", "r1", "ssd", "1"), m.one("z2", "r2", "x")}
	case v1.NodeSelectorOpGt, v1.NodeSelectorOpLt:
		requirement.Key, requirement.Values = "size", []string{m.one("0", "2", "5")}
	}
	return requirement
}

func (m *maker) nodeTerm() v1.NodeSelectorTerm {
	var term v1.NodeSelectorTerm
	for !m.chance(3) {
		term.MatchExpressions = append(term.MatchExpressions, m.nodeRequirement())
	}
	if m.chance(6) {
		term.MatchFields = []v1.NodeSelectorRequirement{{Key: "metadata.name",
			Operator: v1.NodeSelectorOperator(m.one("In", "NotIn")), Values: []string{m.one("n0", "n1", "n2")}}}
	}
	return term
}

// labels has it demand some of its node.
func (m *maker) labels(pod *v1.Pod) {
	if m.chance(6) {
		pod.Spec.NodeSelector = map[string]string{m.one("zone", "disk"): m.one("z1", "ssd")}
	}
	if !m.chance(4) {
		return
	}
	terms := []v1.NodeSelectorTerm{m.nodeTerm()}
	if m.chance(2) {
		terms = append(terms, m.nodeTerm())
	}
	pod.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{NodeSelectorTerms: terms}}}
}

func (m *maker) tolerations(pod *v1.Pod) {
	for m.chance(2) {
		toleration := v1.Toleration{Key: m.one("k", "l", v1.TaintNodeUnschedulable, v1.TaintNodeNotReady),
			Operator: v1.TolerationOperator(m.one("", "Equal", "Exists"))}
		if toleration.Operator == v1.TolerationOpExists {
			if m.chance(3) {
				toleration.Key = ""
			}
		} else {
			toleration.Value = m.one("", "x", "y")
		}
		if m.chance(2) {
			toleration.Effect = m.effect()
		}
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, toleration)
	}
}

func (m *maker) selector() *meta.LabelSelector {
	if m.chance(12) {
		return nil
	}
	selector := &meta.LabelSelector{}
	if m.chance(12) {
		return selector
	}
	if m.chance(2) {
		selector.MatchLabels = map[string]string{"app": m.one("x", "y")}
	}
	for m.chance(3) || (len(selector.MatchLabels) == 0 && len(selector.MatchExpressions) == 0) {
		requirement := meta.LabelSelectorRequirement{Key: m.one("app", "v", "none"),
			Operator: meta.LabelSelectorOperator(m.one("In", "NotIn", "Exists", "DoesNotExist"))}
		if requirement.Operator == meta.LabelSelectorOpIn || requirement.Operator == meta.LabelSelectorOpNotIn {
			requirement.Values = []string{m.one("x", "1"), m.one("y", "2")}
		}
		selector.MatchExpressions = append(selector.MatchExpressions, requirement)
	}
	return selector
}

func (m *maker) podTerms() (terms []v1.PodAffinityTerm) {
	for len(terms) == 0 || m.chance(3) {
		term := v1.PodAffinityTerm{LabelSelector: m.selector(),
			TopologyKey: m.one("zone", "zone", "rack", "kubernetes.io/hostname", "nowhere")}
		if m.chance(4) {
			term.Namespaces = []string{m.one("a", "b", "c")}
		}
		if m.chance(6) {
			term.NamespaceSelector = &meta.LabelSelector{}
			if m.chance(2) {
				term.NamespaceSelector.MatchLabels = map[string]string{"tier": "gold"}
			}
		}
		terms = append(terms, term)
	}
	return terms
}

// others has it demand something of other pods, in one of so many cases each.
func (m *maker) others(pod *v1.Pod, of int) {
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &v1.Affinity{}
	}
	if m.chance(of) {
		pod.Spec.Affinity.PodAntiAffinity = &v1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: m.podTerms()}
	}
	if m.chance(2 * of) {
		pod.Spec.Affinity.PodAffinity = &v1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: m.podTerms()}
	}
}

func (m *maker) spread(pod *v1.Pod) {
	for m.chance(3) {
		constraint := v1.TopologySpreadConstraint{MaxSkew: int32(1 + m.IntN(2)),
			TopologyKey:       m.one("zone", "rack", "kubernetes.io/hostname"),
			WhenUnsatisfiable: v1.DoNotSchedule, LabelSelector: m.selector()}
		if m.chance(3) {
			constraint.MinDomains = ptr.To(int32(1 + m.IntN(4)))
		}
		if m.chance(3) {
			constraint.NodeAffinityPolicy = ptr.To(v1.NodeInclusionPolicy(m.one("Honor", "Ignore")))
		}
		if m.chance(3) {
			constraint.NodeTaintsPolicy = ptr.To(v1.NodeInclusionPolicy(m.one("Honor", "Ignore")))
		}
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, constraint)
	}
}

// claims has it ask for volumes: bound ones, and some that are provisioned where it goes.
func (m *maker) claims(pod *v1.Pod) {
	for i := 0; m.chance(5); i++ {
		name := fmt.Sprintf("w%d-%d", m.seed, i)
		pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: name, VolumeSource: v1.VolumeSource{
			PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
		if m.chance(8) {
			continue // it is not there
		}
		claim := &v1.PersistentVolumeClaim{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}}
		claim.Name, claim.Namespace = name, pod.Namespace
		claim.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}
		claim.Spec.Resources.Requests = v1.ResourceList{v1.ResourceStorage: resource.MustParse("1Gi")}
		claim.Spec.StorageClassName = &name
		claim.Status.Phase = v1.ClaimPending
		class := &storage.StorageClass{TypeMeta: meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"},
			Provisioner: "csi.example.com", VolumeBindingMode: ptr.To(storage.VolumeBindingImmediate)}
		class.Name = name
		if !m.chance(5) {
			class.VolumeBindingMode = ptr.To(storage.VolumeBindingWaitForFirstConsumer)
		}
		if m.chance(3) {
			class.AllowedTopologies = []v1.TopologySelectorTerm{{MatchLabelExpressions: []v1.TopologySelectorLabelRequirement{
				{Key: m.one("zone", "rack"), Values: []string{m.one("z1", "r1"), m.one("z2", "r2")}}}}}
		}
		if m.chance(3) {
			m.storage(class)
		}
		if m.chance(2) {
			m.bind(claim)
		} else if m.chance(6) && class.Provisioner == "csi.example.com" {
			// Where a volume is being made kube-scheduler asks anew for storage, and Fairlead does not.
			claim.Annotations = map[string]string{"volume.kubernetes.io/selected-node": m.one("n0", "n1", "n9")}
		}
		m.world.volumes = append(m.world.volumes, class, claim)
	}
}

func (m *maker) bind(claim *v1.PersistentVolumeClaim) {
	claim.Spec.VolumeName, claim.Status.Phase = claim.Name, v1.ClaimBound
	claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
	if m.chance(10) {
		return // the volume is not there
	}
	volume := &v1.PersistentVolume{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"}}
	volume.Name = claim.Name
	volume.Spec.ClaimRef = &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name}
	volume.Spec.Capacity = claim.Spec.Resources.Requests
	volume.Spec.StorageClassName = claim.Name
	volume.Status.Phase = v1.VolumeBound
	volume.Spec.CSI = &v1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: claim.Name}
	if m.chance(3) {
		volume.Labels = map[string]string{"topology.kubernetes.io/zone": m.one("z1", "z2", "z1__z3")}
	}
	if m.chance(2) {
		volume.Spec.NodeAffinity = &v1.VolumeNodeAffinity{
			Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{m.nodeTerm()}}}
	}
	m.world.volumes = append(m.world.volumes, volume)
}

// takes has it ask for volumes that are there, of a class whose volumes nobody makes, or somebody
// does where there are none.
func (m *maker) takes(pod *v1.Pod) {
	if !m.chance(3) {
		return
	}
	class := &storage.StorageClass{TypeMeta: meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"},
		Provisioner:       m.one(noProvisioner, noProvisioner, "csi.example.com"),
		VolumeBindingMode: ptr.To(storage.VolumeBindingWaitForFirstConsumer)}
	class.Name = fmt.Sprintf("w%d-there", m.seed)
	m.world.volumes = append(m.world.volumes, class)
	// All of other sizes: of volumes of one size kube-scheduler takes any, and of claims the first.
	asks, sizes := m.Perm(4), m.Perm(8)
	var claims []*v1.PersistentVolumeClaim
	for i := range 1 + m.IntN(3) {
		claims = append(claims, m.claimOf(class, pod, i, asks[i]))
	}
	for i := range m.IntN(6) {
		m.volumeOf(class, claims, i, sizes[i])
	}
}

func (m *maker) claimOf(class *storage.StorageClass, pod *v1.Pod, i, size int) *v1.PersistentVolumeClaim {
	claim := &v1.PersistentVolumeClaim{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}}
	claim.Name, claim.Namespace = fmt.Sprintf("%s-c%d", class.Name, i), pod.Namespace
	claim.UID = types.UID(claim.Name)
	claim.Spec.StorageClassName = &class.Name
	claim.Spec.AccessModes = m.accessModes()
	claim.Spec.VolumeMode = m.volumeMode()
	claim.Spec.Resources.Requests = v1.ResourceList{
		v1.ResourceStorage: *resource.NewQuantity(int64(1+size)<<30, resource.BinarySI)}
	if m.chance(4) {
		claim.Spec.Selector = m.selector()
	}
	claim.Status.Phase = v1.ClaimPending
	m.world.volumes = append(m.world.volumes, claim)
	pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: claim.Name, VolumeSource: v1.VolumeSource{
		PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name}}})
	return claim
}

// volumeOf makes one that some of the claims may take, and others not, or that is kept for one.
func (m *maker) volumeOf(class *storage.StorageClass, claims []*v1.PersistentVolumeClaim, i, size int) {
	volume := &v1.PersistentVolume{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"}}
	volume.Name = fmt.Sprintf("%s-v%d", class.Name, i)
	volume.Labels = m.some(map[string]string{"app": m.one("x", "y"), "v": m.one("1", "2")})
	volume.Spec.StorageClassName = class.Name
	volume.Spec.Capacity = v1.ResourceList{
		v1.ResourceStorage: *resource.NewQuantity(int64(1+size)<<30-int64(m.IntN(2))<<29, resource.BinarySI)}
	volume.Spec.AccessModes = m.accessModes()
	volume.Spec.VolumeMode = m.volumeMode()
	volume.Spec.CSI = &v1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: volume.Name}
	if !m.chance(3) {
		volume.Spec.NodeAffinity = &v1.VolumeNodeAffinity{
			Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{m.nodeTerm()}}}
	}
	volume.Status.Phase = v1.VolumeAvailable
	if m.chance(8) {
		volume.Status.Phase = v1.PersistentVolumePhase(m.one("Pending", "Released", "Failed"))
	}
	if m.chance(12) {
		volume.DeletionTimestamp = &meta.Time{Time: meta.Unix(1767225600, 0).Time}
	}
	switch {
	case m.chance(4):
		m.keep(class, volume, claims)
	case m.chance(12):
		volume.Spec.StorageClassName = ""
	}
	m.world.volumes = append(m.world.volumes, volume)
}

// keep has the volume name a claim: one of these, or another, or one that had such a name.
// Kubernetes' controller binds it to that claim before any pod has come, where it is large enough
// and has the claim's access modes, and Fairlead judges it so. kube-scheduler judges the moment
// before: it does not ask for access modes, passes over a volume of another class, takes any of
// two, and has another volume made where this one cannot be had. There are no such worlds.
func (m *maker) keep(class *storage.StorageClass, volume *v1.PersistentVolume, claims []*v1.PersistentVolumeClaim) {
	of := claims[m.IntN(len(claims))]
	volume.Spec.ClaimRef = &v1.ObjectReference{Namespace: of.Namespace, Name: of.Name, UID: of.UID}
	switch {
	case m.chance(4):
		volume.Spec.ClaimRef.Name = "another"
	case m.chance(4):
		volume.Spec.ClaimRef.UID = "another"
	case m.kept[of.Name] || class.Provisioner != noProvisioner:
		volume.Spec.ClaimRef = nil
	default:
		m.kept[of.Name] = true
		volume.Spec.AccessModes = of.Spec.AccessModes
		if m.chance(2) {
			volume.Spec.ClaimRef.UID = ""
		}
	}
}

func (m *maker) accessModes() []v1.PersistentVolumeAccessMode {
	modes := []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}
	if m.chance(3) {
		modes[0] = v1.ReadOnlyMany
	}
	if m.chance(3) {
		modes = append(modes, v1.ReadWriteMany)
	}
	return modes
}

func (m *maker) volumeMode() *v1.PersistentVolumeMode {
	if m.chance(2) {
		return nil
	}
	return ptr.To(v1.PersistentVolumeMode(m.one("Filesystem", "Filesystem", "Block")))
}

// limits says how many volumes the nodes take, and what is attached to them that no pod uses.
func (m *maker) limits() {
	m.shared = map[string]bool{}
	for _, node := range m.world.nodes {
		if m.chance(4) {
			continue // nothing is said of it
		}
		csi := &storage.CSINode{TypeMeta: meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSINode"}}
		csi.Name = node.Name
		driver := storage.CSINodeDriver{Name: m.one("csi.example.com", "csi.example.com", "csi.other.com"), NodeID: node.Name}
		if !m.chance(6) {
			driver.Allocatable = &storage.VolumeNodeResources{Count: ptr.To(int32(m.IntN(4)))}
		}
		csi.Spec.Drivers = []storage.CSINodeDriver{driver}
		m.world.volumes = append(m.world.volumes, csi)
		for i := 0; m.chance(4); i++ {
			m.attach(node.Name, m.volume(fmt.Sprintf("%s-gone%d", node.Name, i), nil).Name)
		}
	}
}

// share has it name a bound claim that others of its namespace may name, too.
func (m *maker) share(pod *v1.Pod) {
	name := fmt.Sprintf("w%d-%s%d", m.seed, pod.Namespace, m.IntN(3))
	for _, volume := range pod.Spec.Volumes {
		if volume.Name == name {
			return
		}
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: name, VolumeSource: v1.VolumeSource{
		PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
	if !m.shared[name] {
		m.shared[name] = true
		claim := &v1.PersistentVolumeClaim{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}}
		claim.Name, claim.Namespace = name, pod.Namespace
		claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
		claim.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteMany}
		claim.Spec.VolumeName, claim.Spec.StorageClassName = name, ptr.To("")
		claim.Status.Phase = v1.ClaimBound
		m.volume(name, claim)
		m.world.volumes = append(m.world.volumes, claim)
	}
	if pod.Spec.NodeName != "" && m.chance(2) {
		m.attach(pod.Spec.NodeName, name)
	}
}

// volume makes one of our driver; claim: whose it is, nil where it is nobody's any more.
func (m *maker) volume(name string, claim *v1.PersistentVolumeClaim) *v1.PersistentVolume {
	volume := &v1.PersistentVolume{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"}}
	volume.Name = name
	volume.Status.Phase = v1.VolumeReleased
	if claim != nil {
		volume.Spec.ClaimRef = &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name}
		volume.Status.Phase = v1.VolumeBound
	}
	volume.Spec.CSI = &v1.CSIPersistentVolumeSource{Driver: m.one("csi.example.com", "csi.example.com", "csi.other.com"),
		VolumeHandle: name}
	m.world.volumes = append(m.world.volumes, volume)
	return volume
}

func (m *maker) attach(node, volume string) {
	attachment := &storage.VolumeAttachment{TypeMeta: meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "VolumeAttachment"}}
	attachment.Name = node + "-" + volume
	attachment.Spec.NodeName, attachment.Spec.Source.PersistentVolumeName = node, &volume
	for _, object := range m.world.volumes {
		if made, ok := object.(*v1.PersistentVolume); ok && made.Name == volume {
			attachment.Spec.Attacher = made.Spec.CSI.Driver
		}
	}
	for _, object := range m.world.volumes {
		if made, ok := object.(*storage.VolumeAttachment); ok && made.Name == attachment.Name {
			return
		}
	}
	m.world.volumes = append(m.world.volumes, attachment)
}

// raiseLimits has no node take fewer volumes than it has: beyond its limit kube-scheduler lets a pod
// have what is attached there by somebody who leaves, and Fairlead does not.
func (m *maker) raiseLimits() {
	drivers, has := map[string]string{}, map[string]map[string]bool{}
	add := func(node, volume string) {
		if has[node+" "+drivers[volume]] == nil {
			has[node+" "+drivers[volume]] = map[string]bool{}
		}
		has[node+" "+drivers[volume]][volume] = true
	}
	for _, object := range m.world.volumes {
		if volume, ok := object.(*v1.PersistentVolume); ok {
			drivers[volume.Name] = volume.Spec.CSI.Driver
		}
	}
	for _, object := range m.world.volumes {
		if attachment, ok := object.(*storage.VolumeAttachment); ok {
			add(attachment.Spec.NodeName, *attachment.Spec.Source.PersistentVolumeName)
		}
	}
	for _, pod := range m.world.running {
		for _, volume := range pod.Spec.Volumes { // of its claim's name
			add(pod.Spec.NodeName, volume.Name)
		}
	}
	for _, object := range m.world.volumes {
		if csi, ok := object.(*storage.CSINode); ok && csi.Spec.Drivers[0].Allocatable != nil {
			count := csi.Spec.Drivers[0].Allocatable.Count
			*count = max(*count, int32(len(has[csi.Name+" "+csi.Spec.Drivers[0].Name])))
		}
	}
}

// storage has a driver of its own make the class's volumes, where there is storage for them.
func (m *maker) storage(class *storage.StorageClass) {
	class.Provisioner = "csi." + class.Name
	driver := &storage.CSIDriver{TypeMeta: meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSIDriver"},
		Spec: storage.CSIDriverSpec{StorageCapacity: ptr.To(!m.chance(6))}}
	driver.Name = class.Provisioner
	m.world.volumes = append(m.world.volumes, driver)
	size := func() *resource.Quantity {
		if m.chance(4) {
			return nil
		}
		return ptr.To(resource.MustParse(m.one("512Mi", "1Gi", "2Gi")))
	}
	for i := 0; !m.chance(3); i++ {
		capacity := &storage.CSIStorageCapacity{
			TypeMeta:         meta.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSIStorageCapacity"},
			StorageClassName: class.Name, Capacity: size()}
		// No larger than the capacity, which Fairlead asks beside it.
		if m.chance(3) {
			capacity.MaximumVolumeSize = ptr.To(resource.MustParse("512Mi"))
		}
		capacity.Name, capacity.Namespace = fmt.Sprintf("%s-%d", class.Name, i), "a"
		if !m.chance(6) {
			capacity.NodeTopology = &meta.LabelSelector{}
			if !m.chance(4) {
				capacity.NodeTopology.MatchLabels = map[string]string{m.one("zone", "rack"): m.one("z1", "z2", "r1", "r2")}
			}
		}
		m.world.volumes = append(m.world.volumes, capacity)
	}
}
