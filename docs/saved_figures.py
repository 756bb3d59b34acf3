"""How the gallery finds an example's figures: they are the PNG files that it saved."""

import shutil
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Move what one block of an example saved beside it into the gallery."""
    paths = block_vars["image_path_iterator"]
    shown = []
    for saved in sorted(Path(block_vars["src_file"]).parent.glob("*.png")):
        target = next(paths)
        shutil.move(saved, target)
        shown.append(target)
    return str(figure_rst(shown, gallery_conf["src_dir"]))
