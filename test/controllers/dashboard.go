package main

import (
	"context"
	"errors"
	"fmt"

	ray "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// jobStatus is an annotation of a RayJob: what its cluster's dashboard, which is not there as no
// container runs, would say of it. Absent: RUNNING.
const jobStatus = "fairlead.dev/ray-job-status"

var errNoDashboard = errors.New("no container runs, and so no dashboard")

// dashboards stands in for those of Ray's heads, which KubeRay asks how jobs are getting on.
type dashboards struct{}

func (dashboards) GetDashboardClient(_ context.Context, mgr ctrl.Manager) func(
	*ray.RayCluster, string) (dashboardclient.RayDashboardClientInterface, error) {
	return func(cluster *ray.RayCluster, _ string) (
		dashboardclient.RayDashboardClientInterface, error) {
		return &dashboard{client: mgr.GetClient(), cluster: cluster}, nil
	}
}

func (dashboards) GetHttpProxyClient(ctrl.Manager) func(
	hostIP, namespace, name string, port int) utils.RayHttpProxyClientInterface {
	return func(string, string, string, int) utils.RayHttpProxyClientInterface { return noProxy{} }
}

type noProxy struct{}

func (noProxy) CheckProxyActorHealth(context.Context) error { return errNoDashboard }

type dashboard struct {
	client  client.Client
	cluster *ray.RayCluster
}

func (d *dashboard) GetJobInfo(ctx context.Context, id string) (*types.RayJobInfo, error) {
	if d.cluster == nil {
		return nil, errNoDashboard
	}
	var job ray.RayJob
	key := client.ObjectKey{
		Namespace: d.cluster.Namespace,
		Name:      d.cluster.Labels[utils.RayOriginatedFromCRNameLabelKey],
	}
	if err := d.client.Get(ctx, key, &job); err != nil {
		return nil, fmt.Errorf("the RayJob of cluster %s: %w", d.cluster.Name, err)
	}
	status := ray.JobStatus(job.Annotations[jobStatus])
	if status == "" {
		status = ray.JobStatusRunning
	}
	return &types.RayJobInfo{JobId: id, SubmissionId: id, JobStatus: status}, nil
}

// The job is stopped with its cluster.
func (d *dashboard) StopJob(context.Context, string) error   { return nil }
func (d *dashboard) DeleteJob(context.Context, string) error { return nil }

func (d *dashboard) SubmitJob(_ context.Context, job *ray.RayJob) (string, error) {
	return job.Status.JobId, nil
}

func (d *dashboard) SubmitJobReq(_ context.Context, request *types.RayJobRequest) (string, error) {
	return request.SubmissionId, nil
}

func (d *dashboard) ListJobs(context.Context) (*[]types.RayJobInfo, error) {
	return nil, errNoDashboard
}

func (d *dashboard) GetJobLog(context.Context, string) (*string, error) {
	return nil, errNoDashboard
}

func (d *dashboard) UpdateDeployments(context.Context, []byte) error { return errNoDashboard }

func (d *dashboard) GetServeDetails(context.Context) (*types.ServeDetails, error) {
	return nil, errNoDashboard
}

func (d *dashboard) GetMultiApplicationStatus(context.Context) (
	map[string]*types.ServeApplicationStatus, error) {
	return nil, errNoDashboard
}
