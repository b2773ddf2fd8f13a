package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// The fake kubelets of all nodes at once, those that others made included:
//
//	bound ─► Running ─run-duration─► Succeeded
//	  └─────────┴── deleted ──grace──► Failed, gone
//
// What is to be done is read from the pod alone, so that it does not matter what was seen before: a
// kubelet that was restarted goes on where it was.
type kubeletSet struct {
	client    kubernetes.Interface
	pods      cache.Store
	queue     workqueue.TypedRateLimitingInterface[string]
	endAtOnce bool // deleted pods do not take their grace period
}

// runDuration, in Go's grammar, is how long a pod runs from its status.startTime, which is in whole
// seconds; without it, until it is deleted.
const runDuration = "fairlead.dev/run-duration"

const (
	kubeletWorkers = 32
	requestTimeout = 30 * time.Second
)

func kubelets(args []string) error {
	flags := pflag.NewFlagSet("kubelets", pflag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the cluster")
	endAtOnce := flags.Bool("end-at-once", false, "deleted pods do not take their grace period")
	if err := parse(flags, args); err != nil {
		return err
	}
	client, err := clientOf(*kubeconfig)
	if err != nil {
		return err
	}
	set := &kubeletSet{
		client:    client,
		endAtOnce: *endAtOnce,
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](50*time.Millisecond, 5*time.Second)),
	}
	return set.run(context.Background())
}

func (k *kubeletSet) run(ctx context.Context) error {
	bound := fields.OneTermNotEqualSelector("spec.nodeName", "")
	enqueue := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			k.queue.Add(key)
		}
	}
	var watcher cache.Controller
	k.pods, watcher = cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: cache.NewListWatchFromClient(
			k.client.CoreV1().RESTClient(), "pods", metav1.NamespaceAll, bound),
		ObjectType: &v1.Pod{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    enqueue,
			UpdateFunc: func(_, pod any) { enqueue(pod) },
		},
		Transform: forgetUnused,
	})
	for range kubeletWorkers {
		go k.work(ctx)
	}
	watcher.RunWithContext(ctx)
	return ctx.Err()
}

// What a kubelet writes is the status alone, so that most of the pod need not be kept. The server
// puts its own spec and managed fields in place of what is missing.
func forgetUnused(object any) (any, error) {
	pod, is := object.(*v1.Pod)
	if !is {
		return object, nil
	}
	pod.ManagedFields = nil
	kept := v1.PodSpec{NodeName: pod.Spec.NodeName}
	for _, container := range pod.Spec.Containers {
		kept.Containers = append(kept.Containers,
			v1.Container{Name: container.Name, Image: container.Image})
	}
	pod.Spec = kept
	return pod, nil
}

func (k *kubeletSet) work(ctx context.Context) {
	for {
		key, done := k.queue.Get()
		if done {
			return
		}
		err := k.tend(ctx, key)
		switch {
		case err == nil, apierrors.IsNotFound(err):
			k.queue.Forget(key)
		case apierrors.IsConflict(err):
			// The pod is newer than we know: its next event is on the way, or was just here.
			k.queue.AddRateLimited(key)
		default:
			fmt.Fprintf(os.Stderr, "kubelets: pod %s: %v\n", key, err)
			k.queue.AddRateLimited(key)
		}
		k.queue.Done(key)
	}
}

// tend takes a pod's next step, where it is due, or comes back when it is.
func (k *kubeletSet) tend(ctx context.Context, key string) error {
	object, known, err := k.pods.GetByKey(key)
	if err != nil || !known {
		return err
	}
	pod := object.(*v1.Pod).DeepCopy()
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	switch {
	case pod.DeletionTimestamp != nil:
		return k.end(ctx, key, pod)
	case pod.Status.Phase == v1.PodPending:
		setRunning(pod)
		return k.writeStatus(ctx, pod)
	case pod.Status.Phase == v1.PodRunning:
		return k.finish(ctx, key, pod)
	}
	return nil
}

// The pod was deleted. As a real kubelet does, it says that the containers ended before it lets the
// object go: job controllers count only pods whose phase says so.
func (k *kubeletSet) end(ctx context.Context, key string, pod *v1.Pod) error {
	if *pod.DeletionGracePeriodSeconds == 0 {
		return nil // gone but for somebody's finalizer
	}
	if rest := time.Until(pod.DeletionTimestamp.Time); rest > 0 && !k.endAtOnce {
		k.queue.AddAfter(key, rest)
		return nil
	}
	if pod.Status.Phase == v1.PodPending || pod.Status.Phase == v1.PodRunning {
		const killed = 128 + 15
		setEnded(pod, v1.PodFailed, killed, "Error")
		if err := k.writeStatus(ctx, pod); err != nil {
			return err
		}
	}
	return k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: new(int64),
		Preconditions:      metav1.NewUIDPreconditions(string(pod.UID)),
	})
}

func (k *kubeletSet) finish(ctx context.Context, key string, pod *v1.Pod) error {
	text, limited := pod.Annotations[runDuration]
	if !limited || pod.Status.StartTime == nil {
		return nil
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "kubelets: pod %s: %s: %v; it runs on\n", key, runDuration, err)
		return nil
	}
	if rest := time.Until(pod.Status.StartTime.Add(duration)); rest > 0 {
		k.queue.AddAfter(key, rest)
		return nil
	}
	setEnded(pod, v1.PodSucceeded, 0, "Completed")
	return k.writeStatus(ctx, pod)
}

func (k *kubeletSet) writeStatus(ctx context.Context, pod *v1.Pod) error {
	_, err := k.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

func setRunning(pod *v1.Pod) {
	now := metav1.Now()
	started := true
	pod.Status.Phase = v1.PodRunning
	pod.Status.StartTime = &now
	for _, kind := range []v1.PodConditionType{v1.PodInitialized, v1.ContainersReady, v1.PodReady} {
		setCondition(&pod.Status, v1.PodCondition{
			Type: kind, Status: v1.ConditionTrue, LastTransitionTime: now,
		})
	}
	pod.Status.ContainerStatuses = nil
	for _, container := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, v1.ContainerStatus{
			Name:    container.Name,
			Image:   container.Image,
			Ready:   true,
			Started: &started,
			State:   v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: now}},
		})
	}
}

func setEnded(pod *v1.Pod, phase v1.PodPhase, exitCode int32, reason string) {
	now := metav1.Now()
	pod.Status.Phase = phase
	for _, kind := range []v1.PodConditionType{v1.ContainersReady, v1.PodReady} {
		setCondition(&pod.Status, v1.PodCondition{
			Type: kind, Status: v1.ConditionFalse, Reason: "PodCompleted", LastTransitionTime: now,
		})
	}
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		ended := v1.ContainerStateTerminated{ExitCode: exitCode, Reason: reason, FinishedAt: now}
		if status.State.Running != nil {
			ended.StartedAt = status.State.Running.StartedAt
		}
		status.State = v1.ContainerState{Terminated: &ended}
		status.Ready = false
		status.Started = new(bool)
	}
}

func setCondition(status *v1.PodStatus, condition v1.PodCondition) {
	for i := range status.Conditions {
		if status.Conditions[i].Type == condition.Type {
			status.Conditions[i] = condition
			return
		}
	}
	status.Conditions = append(status.Conditions, condition)
}
