"""placeholder"""
from pathlib import Path
from typing import Any
class SparkEngine:
    def __init__(self, folder: Path, memory: str, n_threads: int) -> None: ...
