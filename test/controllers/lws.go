package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	leaderworkerset "sigs.k8s.io/lws/api/leaderworkerset/v1"
	"sigs.k8s.io/lws/pkg/controllers"
	"sigs.k8s.io/lws/pkg/webhooks"
)

var leaderWorkerSet = project{
	addToScheme: []func(*runtime.Scheme) error{leaderworkerset.AddToScheme},
	setUp: func(_ context.Context, mgr ctrl.Manager) error {
		if err := controllers.SetupIndexes(mgr.GetFieldIndexer()); err != nil {
			return err
		}
		recorder := mgr.GetEventRecorderFor("leaderworkerset")
		sets := controllers.NewLeaderWorkerSetReconciler(mgr.GetClient(), mgr.GetScheme(), recorder)
		if err := sets.SetupWithManager(mgr); err != nil {
			return err
		}
		// Without another scheduler's PodGroups.
		pods := controllers.NewPodReconciler(mgr.GetClient(), mgr.GetScheme(), recorder, nil)
		if err := pods.SetupWithManager(mgr); err != nil {
			return err
		}
		if err := webhooks.SetupLeaderWorkerSetWebhook(mgr); err != nil {
			return err
		}
		webhook := webhooks.NewPodWebhook(nil)
		return webhook.Setup(mgr)
	},
}
