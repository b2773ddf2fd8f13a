package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// What a CSI driver's external-provisioner does, without a driver: a claim whose node was selected
// gets a volume that can be had on that node alone, and Kubernetes' own controller binds the two.
// Where it cannot make one, it takes the selection back, as external-provisioner does when a node's
// storage is exhausted.
type provisioner struct {
	client kubernetes.Interface
	name   string
	cannot []string // nodes
}

const (
	selectedNode       = "volume.kubernetes.io/selected-node"
	storageProvisioner = "volume.kubernetes.io/storage-provisioner"
)

// provision runs until it is killed. What it does follows from the objects alone.
func provision(args []string) error {
	flags := pflag.NewFlagSet("provision", pflag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "the cluster")
	var p provisioner
	flags.StringVar(&p.name, "provisioner", "csi.example.com", "that StorageClasses name")
	flags.StringSliceVar(&p.cannot, "cannot-on", nil, "NODE,… on which no volume can be made")
	if err := parse(flags, args); err != nil {
		return err
	}
	var err error
	if p.client, err = clientOf(*kubeconfig); err != nil {
		return err
	}
	ctx := context.Background()
	factory := informers.NewSharedInformerFactory(p.client, 0)
	tend := func(object any) {
		claim, is := object.(*v1.PersistentVolumeClaim)
		if !is || claim.Spec.VolumeName != "" || claim.Annotations[storageProvisioner] != p.name {
			return
		}
		node := claim.Annotations[selectedNode]
		if node == "" {
			return
		}
		// A claim that was changed meanwhile is shown again.
		if err := p.tend(ctx, claim, node); err != nil && !apierrors.IsConflict(err) {
			fmt.Fprintf(os.Stderr, "provision: claim %s/%s: %v\n", claim.Namespace, claim.Name, err)
		}
	}
	claims := factory.Core().V1().PersistentVolumeClaims().Informer()
	if _, err := claims.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    tend,
		UpdateFunc: func(_, claim any) { tend(claim) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), claims.HasSynced) {
		return errors.New("provision: no claims are shown")
	}
	<-ctx.Done()
	return nil
}

func (p *provisioner) tend(ctx context.Context, claim *v1.PersistentVolumeClaim, node string) error {
	if slices.Contains(p.cannot, node) {
		return p.refuse(ctx, claim, node)
	}
	_, err := p.client.CoreV1().PersistentVolumes().Create(
		ctx, p.volume(claim, node), metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func (p *provisioner) refuse(ctx context.Context, claim *v1.PersistentVolumeClaim, node string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"resourceVersion": claim.ResourceVersion, "annotations": map[string]any{selectedNode: nil},
	}})
	if err != nil {
		return err
	}
	_, err = p.client.CoreV1().PersistentVolumeClaims(claim.Namespace).Patch(
		ctx, claim.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if err == nil {
		fmt.Printf("provision: claim %s/%s: not on node %s\n", claim.Namespace, claim.Name, node)
	}
	return err
}

func (p *provisioner) volume(claim *v1.PersistentVolumeClaim, node string) *v1.PersistentVolume {
	class := ""
	if claim.Spec.StorageClassName != nil {
		class = *claim.Spec.StorageClassName
	}
	name := "pvc-" + string(claim.UID)
	return &v1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Annotations: map[string]string{"pv.kubernetes.io/provisioned-by": p.name},
		},
		Spec: v1.PersistentVolumeSpec{
			Capacity:         claim.Spec.Resources.Requests,
			AccessModes:      claim.Spec.AccessModes,
			VolumeMode:       claim.Spec.VolumeMode,
			StorageClassName: class,
			ClaimRef: &v1.ObjectReference{
				APIVersion: "v1", Kind: "PersistentVolumeClaim",
				Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
			},
			// There is nobody who would delete it.
			PersistentVolumeReclaimPolicy: v1.PersistentVolumeReclaimRetain,
			NodeAffinity: &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{
				NodeSelectorTerms: []v1.NodeSelectorTerm{{
					MatchExpressions: []v1.NodeSelectorRequirement{{
						Key: v1.LabelHostname, Operator: v1.NodeSelectorOpIn, Values: []string{node},
					}},
				}},
			}},
			PersistentVolumeSource: v1.PersistentVolumeSource{
				CSI: &v1.CSIPersistentVolumeSource{Driver: p.name, VolumeHandle: name},
			},
		},
	}
}
