"""The name under which packages of others find what this project offers them: `ulm.env`, environments for learners."""
