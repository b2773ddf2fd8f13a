package main

import (
	"context"

	"github.com/ray-project/kuberay/ray-operator/apis/config/v1alpha1"
	ray "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	controllers "github.com/ray-project/kuberay/ray-operator/controllers/ray"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/batchscheduler"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Without its webhook, as it is usually installed: what is wrong its controllers say in the status.
var kubeRay = project{
	addToScheme: []func(*runtime.Scheme) error{ray.AddToScheme},
	setUp: func(ctx context.Context, mgr ctrl.Manager) error {
		var config v1alpha1.Configuration
		schedulers, err := batchscheduler.NewSchedulerManager(
			ctx, config, mgr.GetConfig(), mgr.GetClient())
		if err != nil {
			return err
		}
		clusters := controllers.NewReconciler(ctx, mgr,
			controllers.RayClusterReconcilerOptions{BatchSchedulerManager: schedulers})
		if err := clusters.SetupWithManager(mgr, 1); err != nil {
			return err
		}
		jobs := controllers.NewRayJobReconciler(ctx, mgr,
			controllers.RayJobReconcilerOptions{BatchSchedulerManager: schedulers}, dashboards{})
		return jobs.SetupWithManager(mgr, 1)
	},
}
