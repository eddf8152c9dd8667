import pulumi
import pulumi_agentserver as agentserver

cron = agentserver.get_cron_output(deployment_url="https://support.example.com", cron_id="8d2fdf5d-7331-4702-b419-c34f4de91ad4")
pulumi.export("nextRun", cron.next_run_date)
