"""The version of the product, as in blender_manifest.toml (a test keeps them equal)."""

VERSION = "0.1.0"
