package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
)

// nodeOptions describe nodes that are all alike but for their names, PREFIX-0 and up.
type nodeOptions struct {
	count                   uint
	prefix                  string
	cpu, memory, gpus, pods string
	labels                  map[string]string
}

func (o *nodeOptions) addTo(flags *pflag.FlagSet) {
	flags.UintVar(&o.count, "nodes", 3, "how many")
	flags.StringVar(&o.prefix, "node-prefix", "node", "names are PREFIX-0, PREFIX-1, …")
	flags.StringVar(&o.cpu, "node-cpu", "32", "of each")
	flags.StringVar(&o.memory, "node-memory", "128Gi", "of each")
	flags.StringVar(&o.gpus, "node-gpus", "0", "nvidia.com/gpu of each")
	flags.StringVar(&o.pods, "node-pods", "110", "most pods on each")
	flags.StringToStringVar(&o.labels, "node-labels", nil, "KEY=VALUE,… beside the usual ones")
}

func nodes(args []string) error {
	flags := pflag.NewFlagSet("nodes", pflag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the cluster to add them to")
	var options nodeOptions
	options.addTo(flags)
	if err := parse(flags, args); err != nil {
		return err
	}
	client, err := clientOf(*kubeconfig)
	if err != nil {
		return err
	}
	return options.create(context.Background(), client)
}

// create makes the Node objects, Ready from the start. Error: one of that name is there.
func (o *nodeOptions) create(ctx context.Context, client kubernetes.Interface) error {
	size, err := o.size()
	if err != nil {
		return err
	}
	failures := make([]error, o.count)
	workqueue.ParallelizeUntil(ctx, 16, int(o.count), func(i int) {
		node := o.node(fmt.Sprintf("%s-%d", o.prefix, i), size)
		_, failures[i] = client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	})
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (o *nodeOptions) size() (v1.ResourceList, error) {
	size := v1.ResourceList{}
	for _, entry := range []struct {
		resource v1.ResourceName
		flag     string
		value    string
	}{
		{v1.ResourceCPU, "--node-cpu", o.cpu},
		{v1.ResourceMemory, "--node-memory", o.memory},
		{v1.ResourcePods, "--node-pods", o.pods},
		{v1.ResourceEphemeralStorage, "", "1Ti"},
		{"nvidia.com/gpu", "--node-gpus", o.gpus},
	} {
		quantity, err := resource.ParseQuantity(entry.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", entry.flag, entry.value, err)
		}
		if !quantity.IsZero() {
			size[entry.resource] = quantity
		}
	}
	return size, nil
}

func (o *nodeOptions) node(name string, size v1.ResourceList) *v1.Node {
	labels := map[string]string{
		v1.LabelHostname: name, v1.LabelOSStable: "linux", v1.LabelArchStable: "amd64",
	}
	for key, value := range o.labels {
		labels[key] = value
	}
	now := metav1.Now()
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status: v1.NodeStatus{
			Capacity:    size,
			Allocatable: size,
			Conditions: []v1.NodeCondition{{
				Type:               v1.NodeReady,
				Status:             v1.ConditionTrue,
				Reason:             "KubeletReady",
				Message:            "a fake kubelet says that it is ready",
				LastHeartbeatTime:  now,
				LastTransitionTime: now,
			}},
			NodeInfo: v1.NodeSystemInfo{
				OperatingSystem: "linux", Architecture: "amd64", KubeletVersion: "fake",
			},
		},
	}
}

// clientOf speaks protobuf and does not hold itself back: the apiserver is the limit.
func clientOf(kubeconfig string) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	config.DisableCompression = true
	return kubernetes.NewForConfig(config)
}
