from pathlib import Path
from authoring.fin_01_three_levels.story import Story
def write_faults(told: Story, path: Path) -> None:
    path.write_text("{}\n")
