"""The hooks into torch while training runs, and the recorder of what they observe."""
