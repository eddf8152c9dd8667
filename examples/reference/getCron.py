import pulumi
import pulumi_agentserver as agentserver

cron = agentserver.get_cron_output(deployment_url="https://support.example.com", cron_id="1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed")
pulumi.export("nextRun", cron.next_run_date)
