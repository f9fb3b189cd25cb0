"""Do the forge's workflows parse, and are their scripts well-formed?

Usage: check_workflows.py FILE...

Every job has a machine and steps, every step does one thing, every script is one that bash can read, and every need
is a job of the same file.
"""

import re
import subprocess
import sys

import yaml


def check(path):
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    # YAML takes the word `on` for a truth.
    assert workflow["name"] and (workflow.get("on") or workflow[True]), f"{path}: no name or no event"
    scripts = 0
    for name, job in workflow["jobs"].items():
        assert job["runs-on"] and job["steps"], f"{path}: {name}"
        needs = job.get("needs", [])
        for need in [needs] if isinstance(needs, str) else needs:
            assert need in workflow["jobs"], f"{path}: {name} needs {need}"
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), f"{path}: {name}: {step}"
            if "run" in step:
                script = re.sub(r"\$\{\{.*?\}\}", "x", step["run"])
                subprocess.run(["bash", "-n", "-c", script], check=True)
                scripts += 1
    print(f"{path}: {len(workflow['jobs'])} jobs, {scripts} scripts")


for path in sys.argv[1:]:
    check(path)
