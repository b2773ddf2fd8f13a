package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
	"sigs.k8s.io/jobset/pkg/webhooks"
)

var jobSet = project{
	addToScheme: []func(*runtime.Scheme) error{jobset.AddToScheme},
	setUp: func(ctx context.Context, mgr ctrl.Manager) error {
		if err := controllers.SetupJobSetIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
			return err
		}
		if err := controllers.SetupPodIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
			return err
		}
		sets := controllers.NewJobSetReconciler(
			mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("jobset"))
		if err := sets.SetupWithManager(mgr); err != nil {
			return err
		}
		pods := controllers.NewPodReconciler(
			mgr.GetClient(), mgr.GetScheme(), mgr.GetEventRecorderFor("pod"))
		if err := pods.SetupWithManager(mgr); err != nil {
			return err
		}
		defaults, err := webhooks.NewJobSetWebhook(mgr.GetClient())
		if err != nil {
			return err
		}
		if err := defaults.SetupWebhookWithManager(mgr); err != nil {
			return err
		}
		return webhooks.NewPodWebhook(mgr.GetClient()).SetupWebhookWithManager(mgr)
	},
}
