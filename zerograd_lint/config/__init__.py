"""Configuration: settings, pyproject.toml, which files to check, baseline and cache."""
