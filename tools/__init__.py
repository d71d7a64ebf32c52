"""What builds and shows the extension; run from the repository root as `python -m tools.<name>`."""
